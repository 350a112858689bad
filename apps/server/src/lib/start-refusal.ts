/** The server cannot start, and a person can do something about it. Said in both languages on the terminal. */
export class StartRefusal extends Error {
  readonly code: string
  /** What is wrong and what to do, English then Chinese. */
  readonly readable: string

  constructor(code: string, text: { readonly en: string; readonly zh: string }) {
    super(text.en)
    this.name = 'StartRefusal'
    this.code = code
    this.readable = `${text.en}\n${text.zh}`
  }
}
