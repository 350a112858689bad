import type { Recording } from '@linewarden/equipment'
import { maxSamples } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { Batch } from '../../store/ingest/batch.ts'
import type { LineWatch } from '../watch/line-watch.ts'
import { ingestRecording } from './take.ts'

const line = { id: 7 }
const moment = { at: 1_000, receivedAt: 2_000, historical: false }
const take = (batch: Batch, text: string) =>
  ingestRecording(batch, { line } as LineWatch, { key: 'waveform' } as Recording, text, moment)

test.each([
  ['one sample', 2],
  ['the longest there is', maxSamples * 2],
])('%s is kept as it came', (_, bytes) => {
  const batch = new Batch(1)
  const samples = Buffer.alloc(bytes, 0x5a)
  expect(take(batch, samples.toString('base64'))).toBe(true)
  expect(batch.recordings).toEqual([{ line, key: 'waveform', at: 1_000, receivedAt: 2_000, samples }])
})

test.each([
  ['one sample more than the longest', Buffer.alloc(maxSamples * 2 + 2).toString('base64')],
  ['half a sample', Buffer.alloc(1).toString('base64')],
  ['a sample and a half', Buffer.alloc(3).toString('base64')],
  ['nothing', ''],
  ['no base64', '~~~~'],
])('%s is no recording, and nothing of it is kept', (_, text) => {
  const batch = new Batch(1)
  expect(take(batch, text)).toBe(false)
  expect([batch.recordings, batch.empty]).toEqual([[], true])
})
