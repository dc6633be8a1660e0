// The map: all clusters as cells of one canvas. Only changed cells are redrawn, so a large fleet stays smooth.
import {byId, fill, make} from './dom.js';
import {CONDITIONS, count, machines} from './labels.js';

const SIZES = [[200, 24], [800, 16], [3_000, 12], [10_000, 8], [Infinity, 5]];
/** Conditions whose machines the page lists. */
const LISTED = new Set(['quarantined', 'unknown', 'in-flight', 'waiting']);
const LABEL_HEIGHT = 18;
const SITE_GAP = 14;

const canvas = byId('map');
const context = canvas.getContext('2d');
let conditions = [];
let sites = [];
let cells = [];
let labels = [];
let size = 24;
let gap = 2;
let shape = '';
let colours = {};
let selected = -1;

/** Draws the fleet from the API's response. */
export function showMap(map) {
  conditions = map.states;
  sites = map.sites;
  const now = sites.map((site) => `${site.site}:${site.clusters.map((cluster) => cluster.cluster)}`).join('\n');
  if (now !== shape) {
    shape = now;
    arrange();
  } else {
    let index = 0;
    for (const site of sites) {
      for (const cluster of site.clusters) {
        const cell = cells[index];
        const changed = cell.before !== cluster.succeededBefore || cell.failed !== cluster.quarantinedBefore
          || cell.counts.some((number, at) => number !== cluster.machines[at]);
        cell.counts = cluster.machines;
        cell.before = cluster.succeededBefore;
        cell.failed = cluster.quarantinedBefore;
        if (changed) {
          draw(index);
        }
        index++;
      }
    }
  }
  showLegend();
  if (selected >= 0) {
    showDescription();
  }
}

/** How the waiting machines ended in another rollout; empty if none has. */
function inAnotherRollout({before, failed}) {
  return [
    before > 0 ? `${count(before)} succeeded` : null,
    failed > 0 ? `${count(failed)} quarantined` : null,
  ].filter(Boolean).join(', ');
}

function showLegend() {
  const sums = conditions.map((_, at) => cells.reduce((sum, cell) => sum + cell.counts[at], 0));
  const before = inAnotherRollout({
    before: cells.reduce((sum, cell) => sum + cell.before, 0),
    failed: cells.reduce((sum, cell) => sum + cell.failed, 0),
  });
  fill(byId('legend'), Object.entries(CONDITIONS).map(([condition, name]) => make('li', {},
    make('span', {class: `swatch ${condition}`}), LISTED.has(condition) ? make('a', {href: `#/machines/${condition}`}, name) : name, ' ',
    make('strong', {}, count(sums[conditions.indexOf(condition)] ?? 0)),
    condition === 'waiting' && before ? ` (in another rollout ${before})` : null)));
}

/** Places the cells: one block for each site, from left to right as they fit. */
function arrange() {
  const width = canvas.parentElement.clientWidth;
  const whole = sites.reduce((sum, site) => sum + site.clusters.length, 0);
  size = SIZES.find(([most]) => whole <= most)[1];
  gap = size > 5 ? 2 : 1;
  const step = size + gap;
  const most = Math.max(1, Math.floor(width / step));
  context.font = '12px system-ui, sans-serif';
  cells = [];
  labels = [];
  let left = 0;
  let top = 0;
  let tallest = 0;
  for (const site of sites) {
    const label = `${site.site} `;
    const columns = Math.min(most, Math.max(Math.ceil(Math.sqrt(site.clusters.length * 4)),
      Math.ceil(context.measureText(label).width / step)));
    const rows = Math.ceil(site.clusters.length / columns);
    if (left > 0 && left + columns * step > width) {
      left = 0;
      top += tallest + SITE_GAP;
      tallest = 0;
    }
    labels.push({text: site.site, x: left, y: top + 2});
    site.clusters.forEach((cluster, index) => cells.push({
      key: `${site.site}/${cluster.cluster}`,
      counts: cluster.machines,
      before: cluster.succeededBefore,
      failed: cluster.quarantinedBefore,
      x: left + (index % columns) * step,
      y: top + LABEL_HEIGHT + Math.floor(index / columns) * step,
    }));
    tallest = Math.max(tallest, LABEL_HEIGHT + rows * step);
    left += columns * step + SITE_GAP;
  }
  const height = Math.max(LABEL_HEIGHT, top + tallest);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  selected = Math.min(selected, cells.length - 1);
  drawAll();
}

function drawAll() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries([...Object.keys(CONDITIONS), 'text', 'ground']
    .map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = colours.text;
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'top';
  labels.forEach((label) => context.fillText(label.text, label.x, label.y));
  cells.forEach((_, index) => draw(index));
}

/** The worst condition of the cell's machines, which gives its colour. */
function worstCondition(counts) {
  return Object.keys(CONDITIONS).find((condition) => counts[conditions.indexOf(condition)] > 0) ?? 'not-targeted';
}

function draw(index) {
  const {x, y, counts, before} = cells[index];
  const worst = worstCondition(counts);
  context.fillStyle = colours.ground;
  context.fillRect(x - gap / 2, y - gap / 2, size + gap, size + gap);
  context.fillStyle = colours[worst];
  context.fillRect(x, y, size, size);
  const all = counts.reduce((sum, number) => sum + number, 0);
  const done = (counts[conditions.indexOf('succeeded')] ?? 0) + before;
  if (worst !== 'succeeded' && done > 0) {
    // The cell is filled from below with the machines that have succeeded.
    const high = Math.max(1, Math.round(size * done / all));
    context.fillStyle = colours.succeeded;
    context.fillRect(x, y + size - high, size, high);
  }
  mark(worst, x, y);
  if (index === selected) {
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.strokeRect(x, y, size, size);
  }
}

/** Adds a shape for problems and running upgrades, so that colour is not the only sign. */
function mark(worst, x, y) {
  if (size < 8) {
    return;
  }
  const third = size / 3;
  context.strokeStyle = context.fillStyle = colours.ground;
  context.lineWidth = Math.max(1.5, size / 10);
  context.beginPath();
  if (worst === 'quarantined') {
    context.moveTo(x + third, y + third);
    context.lineTo(x + 2 * third, y + 2 * third);
    context.moveTo(x + 2 * third, y + third);
    context.lineTo(x + third, y + 2 * third);
    context.stroke();
  } else if (worst === 'in-flight') {
    context.arc(x + size / 2, y + size / 2, size / 6, 0, 2 * Math.PI);
    context.fill();
  } else if (worst === 'unknown') {
    context.arc(x + size / 2, y + size / 2, size / 5, 0, 2 * Math.PI);
    context.stroke();
  }
}

function select(index) {
  if (index === selected || index < -1 || index >= cells.length) {
    return;
  }
  const before = selected;
  selected = index;
  if (before >= 0) {
    draw(before);
  }
  if (selected >= 0) {
    draw(selected);
  }
  showDescription();
}

/** Describes a cluster by its current counts. */
export function describeCell(cell) {
  const all = cell.counts.reduce((sum, number) => sum + number, 0);
  const parts = Object.entries(CONDITIONS)
    .map(([condition, name]) => [cell.counts[conditions.indexOf(condition)], name])
    .filter(([number]) => number > 0)
    .map(([number, name]) => `${count(number)} ${name}`);
  const before = inAnotherRollout(cell);
  if (before) {
    parts.push(`waiting machines in another rollout: ${before}`);
  }
  return `${cell.key}: ${machines(all)}; ${parts.join(', ')}`;
}

function showDescription() {
  byId('map-description').textContent = selected < 0 ? '' : describeCell(cells[selected]);
}

function open(index) {
  if (index >= 0) {
    location.hash = `#/cluster/${cells[index].key}`;
  }
}

/** The index of the cell under the pointer; -1 if there is none. */
function cellAt(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  return cells.findIndex((cell) => x >= cell.x && x < cell.x + size + gap && y >= cell.y && y < cell.y + size + gap);
}

/** The index of the nearest cell in the next row above or below. */
function verticalNeighbour(direction) {
  const {x, y} = cells[selected];
  const beyond = cells.filter((cell) => direction * (cell.y - y) > 0);
  const row = beyond.reduce((best, cell) => Math.min(best, direction * (cell.y - y)), Infinity);
  const nearest = beyond.filter((cell) => direction * (cell.y - y) === row)
    .reduce((best, cell) => (best && Math.abs(best.x - x) <= Math.abs(cell.x - x) ? best : cell), null);
  return nearest ? cells.indexOf(nearest) : selected;
}

canvas.addEventListener('pointermove', (event) => select(cellAt(event)));
canvas.addEventListener('pointerleave', () => {
  if (document.activeElement !== canvas) {
    select(-1);
  }
});
canvas.addEventListener('click', (event) => open(cellAt(event)));
canvas.addEventListener('focus', () => select(Math.max(0, selected)));
canvas.addEventListener('blur', () => select(-1));
canvas.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || selected < 0) {
    return;
  }
  const moves = {
    ArrowLeft: () => Math.max(0, selected - 1),
    ArrowRight: () => Math.min(cells.length - 1, selected + 1),
    ArrowUp: () => verticalNeighbour(-1),
    ArrowDown: () => verticalNeighbour(1),
    Home: () => 0,
    End: () => cells.length - 1,
  };
  if (event.key === 'Enter') {
    open(selected);
  } else if (moves[event.key]) {
    event.preventDefault();
    select(moves[event.key]());
  }
});

let width = 0;
new ResizeObserver(() => {
  if (canvas.parentElement.clientWidth !== width && canvas.parentElement.clientWidth > 0) {
    width = canvas.parentElement.clientWidth;
    arrange();
  }
}).observe(canvas.parentElement);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
