// Builds elements without markup, so that text from nodes and operators stays text.

/** Builds an element with attributes and children; null children are left out, strings become text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

/**
 * Replaces the children of an element if they differ, so that the reader's scroll position, selection and focus stay while
 * nothing changes.
 */
export function fill(element, ...children) {
  const next = make(element.tagName, {}, ...children);
  if (next.innerHTML !== element.innerHTML) {
    const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    element.replaceChildren(...next.childNodes);
    if (focused) {
      [...element.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus();
    }
  }
}

/** Builds a table; each row is a list of cells. */
export function table(heads, rows) {
  return make('table', {},
    make('thead', {}, make('tr', {}, heads.map((head) => make('th', {scope: 'col'}, head)))),
    make('tbody', {}, rows.map((row) => make('tr', {}, row.map((cell) => make('td', {}, cell))))));
}

/** Builds a progress bar, with text for screen readers. */
export function bar(done, whole, label) {
  return make('progress', {max: Math.max(1, whole), value: done, 'aria-label': label}, `${done} of ${whole}`);
}

export const machineLink = (key, text = key) => make('a', {href: `#/machine/${key}`}, text);
export const clusterLink = (key, text = key) => make('a', {href: `#/cluster/${key}`}, text);
