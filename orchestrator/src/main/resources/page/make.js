// Elements are built and never written as markup: what nodes and operators write stays text.

/** An element with attributes and children; children that are null are left out, texts stay texts. */
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
 * Puts children into an element, but only if they would look different: so a reader's place, selection and focus stay while
 * nothing happens.
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

/** A table; each row is a list of cells. */
export function table(heads, rows) {
  return make('table', {},
    make('thead', {}, make('tr', {}, heads.map((head) => make('th', {scope: 'col'}, head)))),
    make('tbody', {}, rows.map((row) => make('tr', {}, row.map((cell) => make('td', {}, cell))))));
}

/** What is so far of a whole, as a bar that can be read aloud too. */
export function bar(done, whole, label) {
  return make('progress', {max: Math.max(1, whole), value: done, 'aria-label': label}, `${done} of ${whole}`);
}

export const machineLink = (key, text = key) => make('a', {href: `#/machine/${key}`}, text);
export const clusterLink = (key, text = key) => make('a', {href: `#/cluster/${key}`}, text);
