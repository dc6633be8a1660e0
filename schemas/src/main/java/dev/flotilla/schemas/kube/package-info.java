/**
 * Keys of annotations and labels on Kubernetes objects, and names of objects. They are a contract with people and controllers, as rows are one
 * between components.
 */
@NullMarked
package dev.flotilla.schemas.kube;

import org.jspecify.annotations.NullMarked;
