import { expect, test } from 'vitest'
import { deviceTopic, edgeTopic, parseTopic, stateTopic } from './topic.ts'

test('topics are read as they are built', () => {
  expect(parseTopic(edgeTopic('g', 'NBIRTH', 'e'))).toEqual({ kind: 'NBIRTH', group: 'g', edge: 'e', device: null })
  expect(parseTopic(deviceTopic('g', 'DDATA', 'e', 'd'))).toEqual({ kind: 'DDATA', group: 'g', edge: 'e', device: 'd' })
  expect(parseTopic(stateTopic('h'))).toEqual({ kind: 'STATE', host: 'h' })
})

test.each([
  'spBv1.0/g/DDATA/e',
  'spBv1.0/g/NDATA/e/d',
  'spBv1.0/g/NDATA/',
  'spBv1.0/g/NDATA/+',
  'spBv1.0//NDATA/e',
  'spBv1.0/g/XDATA/e',
  'spAv1.0/g/NDATA/e',
  'spBv1.0/g/DDATA/e/d/x',
  'spBv1.0/g/NDATA/a\u0000b',
  '',
])('%j is no topic', (topic) => {
  expect(parseTopic(topic)).toBeNull()
})
