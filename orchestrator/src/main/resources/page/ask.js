// The API over fetch: with the token where one is wanted, and events as a stream that comes back.

const KEPT = 'flotilla.token';
const QUIET = 40_000;
const LONGEST_PAUSE = 5_000;

let token = sessionStorage.getItem(KEPT);
let door = null;

/** Why there is no answer, in the API's words. */
export class Refused extends Error {
  constructor(status, error) {
    super(error?.message ?? `The answer was ${status}.`);
    this.status = status;
    this.code = error?.code;
    this.hint = error?.hint;
  }
}

/** Says who asks for the token: a function that gives a promise of it. */
export function admitBy(asking) {
  door = {asking, open: null};
}

async function get(path, more = {}, signal = undefined) {
  for (;;) {
    const shown = token;
    const headers = shown ? {...more, Authorization: `Bearer ${shown}`} : more;
    const response = await fetch(path, {headers, signal, cache: 'no-store'});
    if (response.status !== 401) {
      return response;
    }
    if (!response.headers.has('WWW-Authenticate')) {
      throw new Refused(401, (await response.json()).error);
    }
    if (shown === token) {
      await admittance(shown !== null);
    }
  }
}

/** All who are turned away wait for the same token. */
async function admittance(again) {
  door.open ??= door.asking(again).then((given) => {
    token = given;
    sessionStorage.setItem(KEPT, given);
    door.open = null;
  });
  await door.open;
}

/** What the API answers to a path below /api/v1. */
export async function ask(path) {
  const response = await get(`/api/v1/${path}`);
  const body = await response.json();
  if (!response.ok) {
    throw new Refused(response.status, body.error);
  }
  return body;
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/**
 * Hands in events as they happen, for ever. After a break it goes on behind the last one, whoever answers then; since a
 * browser's own EventSource cannot show a token, the stream is read here.
 *
 * @param after the number behind which to begin
 * @param take takes an event
 * @param heard is told true when the stream stands, and false when it broke
 */
export async function listen(after, take, heard) {
  let last = after;
  for (let tries = 0; ; tries++) {
    const abort = new AbortController();
    let watch = setTimeout(() => abort.abort(), QUIET);
    try {
      const response = await get('/api/v1/events', {'Last-Event-ID': String(last)}, abort.signal);
      if (!response.ok) {
        throw new Refused(response.status);
      }
      heard(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), QUIET);
        tries = 0;
        const frames = (rest + read.value).split('\n\n');
        rest = frames.pop();
        for (const frame of frames.map(parse)) {
          last = frame.id ? Number(frame.id) : last;
          if (frame.data) {
            take(frame.event, JSON.parse(frame.data));
          }
        }
      }
    } catch {
      // Whatever it was: it is tried again, and the page says meanwhile that it is not connected.
    }
    clearTimeout(watch);
    heard(false);
    await pause(Math.min(LONGEST_PAUSE, 250 * 2 ** Math.min(tries, 5)));
  }
}

function parse(frame) {
  const fields = {};
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) {
      fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
    }
  }
  return fields;
}
