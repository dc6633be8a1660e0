/** The controller of campaigns, policies and orders that are Kubernetes objects: its process and its parts. */
@NullMarked
package dev.flotilla.campaigncontroller;

import org.jspecify.annotations.NullMarked;
