// All clusters as cells on one canvas. Only cells that changed are drawn again, so that it stays smooth at any size of fleet.
import {byId, fill, make} from './make.js';
import {CONDITIONS, count, machines} from './words.js';

const SIZES = [[200, 24], [800, 16], [3_000, 12], [10_000, 8], [Infinity, 5]];
const LABEL = 18;
const BETWEEN = 14;

const canvas = byId('map');
const pen = canvas.getContext('2d');
let conditions = [];
let sites = [];
let cells = [];
let labels = [];
let size = 24;
let gap = 2;
let shape = '';
let colours = {};
let chosen = -1;

/** Draws what the API says of the fleet. */
export function showMap(map) {
  conditions = map.conditions;
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
  if (chosen >= 0) {
    say();
  }
}

/** How those that wait have ended before; empty where none has. */
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
  fill(byId('legend'), Object.entries(CONDITIONS).map(([condition, words]) => make('li', {},
    make('span', {class: `swatch ${condition}`}), `${words} `,
    make('strong', {}, count(sums[conditions.indexOf(condition)] ?? 0)),
    condition === 'waiting' && before ? ` (in another rollout ${before})` : null)));
}

/** Gives each cell its place: a block for each site, from left to right as they fit. */
function arrange() {
  const width = canvas.parentElement.clientWidth;
  const whole = sites.reduce((sum, site) => sum + site.clusters.length, 0);
  size = SIZES.find(([most]) => whole <= most)[1];
  gap = size > 5 ? 2 : 1;
  const step = size + gap;
  const most = Math.max(1, Math.floor(width / step));
  pen.font = '12px system-ui, sans-serif';
  cells = [];
  labels = [];
  let left = 0;
  let top = 0;
  let tallest = 0;
  for (const site of sites) {
    const label = `${site.site} `;
    const columns = Math.min(most, Math.max(Math.ceil(Math.sqrt(site.clusters.length * 4)),
      Math.ceil(pen.measureText(label).width / step)));
    const rows = Math.ceil(site.clusters.length / columns);
    if (left > 0 && left + columns * step > width) {
      left = 0;
      top += tallest + BETWEEN;
      tallest = 0;
    }
    labels.push({text: site.site, x: left, y: top + 2});
    site.clusters.forEach((cluster, index) => cells.push({
      key: `${site.site}/${cluster.cluster}`,
      counts: cluster.machines,
      before: cluster.succeededBefore,
      failed: cluster.quarantinedBefore,
      x: left + (index % columns) * step,
      y: top + LABEL + Math.floor(index / columns) * step,
    }));
    tallest = Math.max(tallest, LABEL + rows * step);
    left += columns * step + BETWEEN;
  }
  const height = Math.max(LABEL, top + tallest);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  chosen = Math.min(chosen, cells.length - 1);
  drawAll();
}

function drawAll() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries([...Object.keys(CONDITIONS), 'text', 'ground']
    .map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = colours.text;
  pen.font = '12px system-ui, sans-serif';
  pen.textBaseline = 'top';
  labels.forEach((label) => pen.fillText(label.text, label.x, label.y));
  cells.forEach((_, index) => draw(index));
}

/** What a cell is coloured by: the worst that any of its machines is in, and what is still to do before what is done. */
function standing(counts) {
  return Object.keys(CONDITIONS).find((condition) => counts[conditions.indexOf(condition)] > 0) ?? 'idle';
}

function draw(index) {
  const {x, y, counts, before} = cells[index];
  const worst = standing(counts);
  pen.fillStyle = colours.ground;
  pen.fillRect(x - gap / 2, y - gap / 2, size + gap, size + gap);
  pen.fillStyle = colours[worst];
  pen.fillRect(x, y, size, size);
  const all = counts.reduce((sum, number) => sum + number, 0);
  const done = (counts[conditions.indexOf('succeeded')] ?? 0) + before;
  if (worst !== 'succeeded' && done > 0) {
    // How far it is, from below.
    const high = Math.max(1, Math.round(size * done / all));
    pen.fillStyle = colours.succeeded;
    pen.fillRect(x, y + size - high, size, high);
  }
  mark(worst, x, y);
  if (index === chosen) {
    pen.strokeStyle = colours.text;
    pen.lineWidth = 2;
    pen.strokeRect(x, y, size, size);
  }
}

/** Trouble and work are told by form too, not by colour alone. */
function mark(worst, x, y) {
  if (size < 8) {
    return;
  }
  const third = size / 3;
  pen.strokeStyle = pen.fillStyle = colours.ground;
  pen.lineWidth = Math.max(1.5, size / 10);
  pen.beginPath();
  if (worst === 'quarantined') {
    pen.moveTo(x + third, y + third);
    pen.lineTo(x + 2 * third, y + 2 * third);
    pen.moveTo(x + 2 * third, y + third);
    pen.lineTo(x + third, y + 2 * third);
    pen.stroke();
  } else if (worst === 'in-flight') {
    pen.arc(x + size / 2, y + size / 2, size / 6, 0, 2 * Math.PI);
    pen.fill();
  } else if (worst === 'unknown') {
    pen.arc(x + size / 2, y + size / 2, size / 5, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function choose(index) {
  if (index === chosen || index < -1 || index >= cells.length) {
    return;
  }
  const before = chosen;
  chosen = index;
  if (before >= 0) {
    draw(before);
  }
  if (chosen >= 0) {
    draw(chosen);
  }
  say();
}

/** The chosen cluster in words, as the counts are now. */
export function inWords(cell) {
  const all = cell.counts.reduce((sum, number) => sum + number, 0);
  const parts = Object.entries(CONDITIONS)
    .map(([condition, words]) => [cell.counts[conditions.indexOf(condition)], words])
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${count(number)} ${words}`);
  const before = inAnotherRollout(cell);
  if (before) {
    parts.push(`of those that wait, in another rollout ${before}`);
  }
  return `${cell.key}: ${machines(all)}; ${parts.join(', ')}`;
}

function say() {
  byId('map-says').textContent = chosen < 0 ? '' : inWords(cells[chosen]);
}

function open(index) {
  if (index >= 0) {
    location.hash = `#/cluster/${cells[index].key}`;
  }
}

/** The cell at a place; -1 for none. */
function under(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  return cells.findIndex((cell) => x >= cell.x && x < cell.x + size + gap && y >= cell.y && y < cell.y + size + gap);
}

/** The nearest cell in the next row above or below. */
function vertical(direction) {
  const {x, y} = cells[chosen];
  const beyond = cells.filter((cell) => direction * (cell.y - y) > 0);
  const row = beyond.reduce((best, cell) => Math.min(best, direction * (cell.y - y)), Infinity);
  const nearest = beyond.filter((cell) => direction * (cell.y - y) === row)
    .reduce((best, cell) => (best && Math.abs(best.x - x) <= Math.abs(cell.x - x) ? best : cell), null);
  return nearest ? cells.indexOf(nearest) : chosen;
}

canvas.addEventListener('pointermove', (event) => choose(under(event)));
canvas.addEventListener('pointerleave', () => {
  if (document.activeElement !== canvas) {
    choose(-1);
  }
});
canvas.addEventListener('click', (event) => open(under(event)));
canvas.addEventListener('focus', () => choose(Math.max(0, chosen)));
canvas.addEventListener('blur', () => choose(-1));
canvas.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || chosen < 0) {
    return;
  }
  const moves = {
    ArrowLeft: () => Math.max(0, chosen - 1),
    ArrowRight: () => Math.min(cells.length - 1, chosen + 1),
    ArrowUp: () => vertical(-1),
    ArrowDown: () => vertical(1),
    Home: () => 0,
    End: () => cells.length - 1,
  };
  if (event.key === 'Enter') {
    open(chosen);
  } else if (moves[event.key]) {
    event.preventDefault();
    choose(moves[event.key]());
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
