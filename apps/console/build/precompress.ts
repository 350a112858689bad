import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Shorter files do not get smaller enough to be worth a second file. */
const minBytes = 1_024

/** Lays a brotli and a gzip copy beside every text file of the build: the server sends them as they are, compressed as well as can be. */
export async function precompress(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const texts = files.filter((each) => /\.(js|css|html|svg|webmanifest)$/.test(each))
  await Promise.all(texts.map((each) => compressed(join(folder, each))))
}

async function compressed(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < minBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await Promise.all([
    brotli(bytes, { params }).then((small) => writeFile(`${path}.br`, small)),
    zip(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
  ])
}
