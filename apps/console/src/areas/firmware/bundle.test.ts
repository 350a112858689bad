import { expect, test } from 'vitest'
import { base64Of, readBundle } from './bundle.ts'

const manifest = btoa(JSON.stringify({ model: 'LW-G1', version: '1.2.3' }))
const head = (line: object) => JSON.stringify(line)
const good = head({ format: 'linewarden-firmware-file-1', manifest, signature: 'c2ln' })

test('a firmware file tells its version, and where its image begins', async () => {
  const file = new Blob([`${good}\n`, new Uint8Array([1, 10, 2])])
  expect(await readBundle(file)).toEqual({ manifest, signature: 'c2ln', model: 'LW-G1', version: '1.2.3', from: good.length + 1 })
})

test.each([
  ['an empty file', ''],
  ['no end of the first line', good],
  ['another format', `${head({ format: 'x', manifest, signature: '' })}\n`],
  ['a manifest that is no JSON', `${head({ format: 'linewarden-firmware-file-1', manifest: 'AAAA', signature: '' })}\n`],
  ['a manifest that is no base64', `${head({ format: 'linewarden-firmware-file-1', manifest: '%', signature: '' })}\n`],
  ['a list', '[]\n'],
  ['nothing', 'null\n'],
])('%s is no firmware file', async (_, text) => expect(await readBundle(new Blob([text]))).toBeNull())

test('any bytes come back from base64', () => {
  const bytes = Uint8Array.from({ length: 20_001 }, (_, i) => (i * 7) % 256)
  expect(Uint8Array.from(atob(base64Of(bytes)), (char) => char.charCodeAt(0))).toEqual(bytes)
})
