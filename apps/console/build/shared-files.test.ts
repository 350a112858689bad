import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { circleOf } from './no-circles.ts'
import type { Joining, Piece } from './shared-files.ts'
import { sharedFiles } from './shared-files.ts'

const piece = (name: string, imports: readonly string[] = [], other: Partial<Piece> = {}): Piece => ({
  ...{ name, imports, bytes: 100, hasStyles: false },
  kind: name.endsWith('-page') ? 'page' : name.endsWith('-part') ? 'part' : 'shared',
  ...other,
})
const join = (pieces: readonly Piece[], joining: Partial<Joining> = {}) =>
  Object.fromEntries(sharedFiles(pieces, { layers: {}, fileBytes: 1_000, ...joining }))

test('what the same pages share comes in one file, named after the largest piece', () => {
  const pieces = [piece('a-page', ['x', 'y']), piece('b-page', ['x', 'y']), piece('x'), piece('y', [], { bytes: 200 })]
  expect(join(pieces)).toEqual({ x: 'y', y: 'y' })
})

test('a page is not made to load what outweighs the files that others are spared', () => {
  const pieces = (bytes: number) => [
    ...[piece('a-page', ['list', 'chart']), piece('b-page', ['list', 'chart']), piece('c-page', ['list'])],
    ...[piece('list'), piece('chart', [], { bytes })],
  ]
  expect(join(pieces(1_999))).toEqual({ list: 'chart', chart: 'chart' })
  expect(join(pieces(2_000))).toEqual({ list: 'list', chart: 'chart' })
})

test('two files of styles count as two files', () => {
  const pieces = (hasStyles: boolean) => [
    ...[piece('a-page', ['list', 'chart']), piece('b-page', ['list'])],
    ...[piece('list', [], { hasStyles }), piece('chart', [], { bytes: 1_500, hasStyles: true })],
  ]
  expect(join(pieces(false))).toEqual({ list: 'list', chart: 'chart' })
  expect(join(pieces(true))).toEqual({ list: 'chart', chart: 'chart' })
})

test('the first page loads nothing that only others need, whatever that saves', () => {
  const pieces = [
    ...[piece('first-page', ['x']), piece('a-page', ['x', 'y']), piece('b-page', ['x', 'y'])],
    ...[piece('x'), piece('y', ['x'])],
  ]
  expect(join(pieces, { layers: { start: ['first-page'] } })).toEqual({ x: 'start', y: 'y' })
})

test('what only parts share that come on demand is kept from the pages', () => {
  const pieces = [
    ...[piece('a-page', ['list']), piece('b-page', ['list']), piece('a-part', ['charts']), piece('b-part', ['charts'])],
    ...[piece('list'), piece('charts', ['list'], { bytes: 9_000 })],
  ]
  expect(join(pieces)).toEqual({ list: 'list', charts: 'charts' })
})

test('two files are not joined when a page stands between them', () => {
  const pieces = [
    ...[piece('a-page', ['top']), piece('b-page', ['top']), piece('middle-page', ['ground'])],
    ...[piece('top', ['middle-page']), piece('ground')],
  ]
  expect(join(pieces)).toEqual({ top: 'top', ground: 'ground' })
})

/** A build as it comes: each piece waits only for those before it, and pages and parts for any. */
const builds = fc
  .array(
    fc.record({
      kind: fc.constantFrom('page', 'part', 'shared', 'shared'),
      bytes: fc.integer({ min: 1, max: 5_000 }),
      hasStyles: fc.boolean(),
      imports: fc.array(fc.nat(), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((given) =>
    given.map(
      ({ imports, ...each }, index): Piece => ({
        ...(each as Omit<Piece, 'name' | 'imports'>),
        name: `${index}`,
        imports: index === 0 ? [] : imports.map((one) => `${one % index}`),
      }),
    ),
  )

test('whatever is shared, no file waits for itself in a circle', () => {
  fc.assert(
    fc.property(builds, fc.integer({ min: 0, max: 10_000 }), (pieces, fileBytes) => {
      const first = pieces.filter(({ kind }) => kind === 'page').slice(0, 1)
      const places = sharedFiles(pieces, { layers: { start: first.map(({ name }) => name) }, fileBytes })
      const fileOf = (name: string) => places.get(name) ?? name
      const importsOf = (file: string) =>
        pieces
          .filter(({ name }) => fileOf(name) === file)
          .flatMap(({ imports }) => imports.map(fileOf))
          .filter((each) => each !== file)
      expect(
        circleOf(
          pieces.map(({ name }) => fileOf(name)),
          importsOf,
        ),
      ).toBeNull()
    }),
  )
})
