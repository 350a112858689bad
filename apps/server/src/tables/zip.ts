import { Zip, ZipDeflate } from 'fflate'

/** A file within another. */
export interface ZippedFile {
  readonly name: string
  readonly content: string | Uint8Array
}

const encoder = new TextEncoder()

/** A zip of files, made while it is sent: one of them is held at a time. */
export async function* zipBytes(files: AsyncGenerator<ZippedFile>): AsyncGenerator<Uint8Array> {
  const out: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    out.push(bytes)
  })
  for await (const { name, content } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    zip.add(file)
    file.push(typeof content === 'string' ? encoder.encode(content) : content, true)
    yield* out.splice(0)
  }
  zip.end()
  yield* out.splice(0)
}
