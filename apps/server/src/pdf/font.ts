import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import * as fontkit from 'fontkit'

let read: { readonly bytes: Buffer; readonly known: ReadonlySet<number> } | null = null

/** Noto Sans SC (SIL OFL 1.1), as it is embedded in part: its bytes, and which signs it has. Read when the first document is made. */
export function chineseFont(): { readonly bytes: Buffer; readonly known: ReadonlySet<number> } {
  if (read) return read
  const bytes = brotliDecompressSync(readFileSync(new URL('../../fonts/noto-sans-sc.ttf.br', import.meta.url)))
  const font = fontkit.create(bytes)
  if (!('characterSet' in font)) throw new Error('the font of documents is a collection')
  read = { bytes, known: new Set(font.characterSet) }
  return read
}

/** Stands for what the font has no sign of: something is seen there, and not nothing. */
const unknownSign = '□'

/** A text with nothing in it that the font does not have; a control character is a space. */
export function inFont(text: string): string {
  const { known } = chineseFont()
  let shown = ''
  for (const sign of text.normalize('NFC')) {
    const code = sign.codePointAt(0) ?? 0
    if (code < 32 || code === 127) shown += ' '
    else shown += known.has(code) ? sign : unknownSign
  }
  return shown
}
