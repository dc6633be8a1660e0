// Client of the API: sends the token if one is required, and reconnects the event stream.

const TOKEN_KEY = 'flotilla.token';
const SILENCE_LIMIT = 40_000;
const MAX_PAUSE = 5_000;

let token = sessionStorage.getItem(TOKEN_KEY);
let signIn = null;

/** An error response of the API. */
export class ApiError extends Error {
  constructor(status, error) {
    super(error?.message ?? `The orchestrator answered with status ${status}.`);
    this.status = status;
    this.code = error?.code;
    this.hint = error?.hint;
  }
}

/** Sets the function that asks the user for the token; it returns a promise of it. */
export function setTokenPrompt(prompt) {
  signIn = {prompt, pending: null};
}

async function get(path, more = {}, signal = undefined) {
  for (;;) {
    const sent = token;
    const headers = sent ? {...more, Authorization: `Bearer ${sent}`} : more;
    const response = await fetch(path, {headers, signal, cache: 'no-store'});
    if (response.status !== 401) {
      return response;
    }
    if (!response.headers.has('WWW-Authenticate')) {
      throw new ApiError(401, (await response.json()).error);
    }
    if (sent === token) {
      await requestToken(sent !== null);
    }
  }
}

/** Asks the user for the token; all requests that were answered with 401 wait for the same prompt. */
async function requestToken(again) {
  signIn.pending ??= signIn.prompt(again).then((entered) => {
    token = entered;
    sessionStorage.setItem(TOKEN_KEY, entered);
    signIn.pending = null;
  });
  await signIn.pending;
}

/** Fetches a path below /api/v1 and returns the response body. */
export async function fetchJson(path) {
  const response = await get(`/api/v1/${path}`);
  const body = await response.json();
  if (!response.ok) {
    throw new ApiError(response.status, body.error);
  }
  return body;
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/**
 * Follows the event stream. After a disconnect it continues after the last event, on any replica. A browser's EventSource
 * cannot send a token, so the stream is read here.
 *
 * @param after number of the event after which to start
 * @param onEvent called with each event
 * @param onConnectionChange called with true when the stream connects, and with false when it breaks
 */
export async function followEvents(after, onEvent, onConnectionChange) {
  let last = after;
  for (let tries = 0; ; tries++) {
    const abort = new AbortController();
    let watch = setTimeout(() => abort.abort(), SILENCE_LIMIT);
    try {
      const response = await get('/api/v1/events', {'Last-Event-ID': String(last)}, abort.signal);
      if (!response.ok) {
        throw new ApiError(response.status);
      }
      onConnectionChange(true);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), SILENCE_LIMIT);
        tries = 0;
        const frames = (rest + read.value).split('\n\n');
        rest = frames.pop();
        for (const frame of frames.map(parse)) {
          last = frame.id ? Number(frame.id) : last;
          if (frame.data) {
            onEvent(frame.event, JSON.parse(frame.data));
          }
        }
      }
    } catch {
      // Any failure is retried; until then the page says that it is not connected.
    }
    clearTimeout(watch);
    onConnectionChange(false);
    await pause(Math.min(MAX_PAUSE, 250 * 2 ** Math.min(tries, 5)));
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
