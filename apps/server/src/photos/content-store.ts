/** Where the contents of photos lie, each under the SHA-256 of itself. */
export interface ContentStore {
  /** Stored for good once it returns; the same again changes nothing. */
  put(hash: string, content: { readonly bytes: Buffer; readonly type: string }): Promise<void>
  /** Null: it is not there. */
  get(hash: string): Promise<Buffer | null>
  remove(hash: string): Promise<void>
  /** Of what lies there from before an instant, so many at a time; where that cannot be told, nothing. */
  hashes(before: number): AsyncIterable<readonly string[]>
}
