import { Zip, ZipDeflate } from 'fflate'

/** A text as a file within another. */
export interface ZippedText {
  readonly name: string
  readonly text: string
}

const encoder = new TextEncoder()

/** A zip of texts, made while it is sent: one of them is held at a time. */
export async function* zipBytes(files: AsyncGenerator<ZippedText>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    out.push(bytes)
  })
  for await (const { name, text } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    zip.add(file)
    file.push(encoder.encode(text), true)
    yield* out.splice(0)
  }
  zip.end()
  yield* out.splice(0)
}
