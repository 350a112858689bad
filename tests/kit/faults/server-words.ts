/** What a server in a process of its own is told (`server-process.ts`). */
export type ToServer =
  /** It ends, or ends `pid`, before or after the nth statement of connections on which a statement has matched. */
  | { readonly do: 'kill'; readonly matches: string; readonly nth: number; readonly after: boolean; readonly pid?: number }
  /** Nothing is killed any more. */
  | { readonly do: 'spare' }
  | { readonly do: 'ahead'; readonly ms: number }
  /** How far the clock by which things are due is ahead of the machine's, in place of the database's. */
  | { readonly do: 'dueAhead'; readonly ms: number }
  /** What the nightly run does, at once. */
  | { readonly do: 'evaluate' }
  /** What is due of rounds and what lapses, at once. */
  | { readonly do: 'inspect' }

/** What it answers: that it listens, and that something was done. */
export type FromServer = { readonly url: string; readonly mqttPort: number } | { readonly done: ToServer['do'] }
