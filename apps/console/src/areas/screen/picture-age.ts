/** After so long without the server a picture is no more one of now. */
const stoppedAfterMs = 20_000
/** After so long nobody should take it for anything else, not even from afar. */
const oldAfterMs = 300_000
/** What a picture is: of now, stopped, or stopped so long ago that it is hatched. */
export type PictureAge = 'live' | 'stopped' | 'old'

/** How old a picture is by what the server was last heard, in ms. */
export const pictureAge = (silentMs: number): PictureAge =>
  silentMs < stoppedAfterMs ? 'live' : silentMs < oldAfterMs ? 'stopped' : 'old'
