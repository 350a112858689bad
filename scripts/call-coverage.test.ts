import { allCalls } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { coverage, coverageReport, shapeOf } from './call-coverage.ts'
import { specifiedCalls } from './specified-calls.ts'

test('each call of the specification is in the contract, or the list says why not', () => {
  expect(coverage().flatMap(({ missing }) => missing)).toEqual([])
})

test('no call of the specification asks for a version, which it does not know, but those by which several breakers close, or one by itself', () => {
  const specified = new Set(specifiedCalls.map(({ call, answeredBy }) => shapeOf(answeredBy ?? call)))
  const asking = allCalls.filter(
    ({ method, path, body }) =>
      specified.has(shapeOf(`${method} ${path}`)) && (body as { required?: string[] } | undefined)?.required?.includes('Version'),
  )
  expect(asking.map(({ name }) => name)).toEqual(['setReclosure', 'switchScene'])
})

test('the list is whole: every call of every section, each once', () => {
  const named = specifiedCalls.map(({ section, call }) => `${section} ${call}`)
  expect(new Set(named).size).toBe(named.length)
  expect(coverage(specifiedCalls).map(({ section, specified }) => [section, specified])).toEqual([
    ['Signing in (paths not shown)', 10],
    ['Users', 15],
    ['Houses', 13],
    ['Cities', 5],
    ['Devices', 23],
    ['Controllers, status and lines', 12],
    ['Roles', 6],
    ['Messages, energy and power', 5],
    ['Scenes and equipment', 7],
    ['Detectors', 26],
  ])
})

test('a call that nobody answers or explains is missing; method and place of the parameters count, their names do not', () => {
  const specified = [
    { section: 'A', call: 'GET /lines/{id}/{no}' },
    { section: 'A', call: 'PUT /lines/{id}/{no}' },
    { section: 'A', call: 'GET /lines/{id}' },
    { section: 'A', call: 'GET /old', otherwise: 'nobody asks for it' },
    { section: 'B', call: 'GET /new', comesWith: 'the next release' },
    { section: 'B', call: 'GET /lines/all/' },
  ]
  const sections = coverage(specified, new Set(['GET /lines/{}/{}', 'GET /lines/all']))
  expect(sections).toEqual([
    {
      section: 'A',
      specified: 4,
      covered: 1,
      otherwise: ['GET /old: nobody asks for it'],
      toCome: [],
      missing: ['PUT /lines/{id}/{no}', 'GET /lines/{id}'],
      hasPaths: true,
    },
    {
      section: 'B',
      specified: 2,
      covered: 1,
      otherwise: [],
      toCome: ['GET /new: comes with the next release'],
      missing: [],
      hasPaths: true,
    },
  ])
  expect(coverageReport(sections).split('\n').at(-2)).toBe('Total      2/6  decided otherwise 1  to come 1  missing 2')
})

test('the total counts the calls that have a path in the specification, each once', () => {
  const total = coverageReport(coverage()).trim().split('\n').at(-1)
  expect(total).toMatch(/^Total +112\/112 /)
})
