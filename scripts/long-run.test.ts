import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leftFiles, leftTests } from './long-run.ts'

const root = new URL('..', import.meta.url)
const specs = 'tests/e2e'
const daily = readFileSync(new URL(`${specs}/daily.txt`, root), 'utf8')
  .trim()
  .split('\n')
const fileOf = (line: string) => line.split(' › ')[0] ?? ''

test('what is left to the long run is there', () => {
  expect(leftFiles.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
  const isThere = ({ file, title }: (typeof leftTests)[number]) =>
    readFileSync(new URL(file, root), 'utf8').includes(`('${title}', `)
  expect(leftTests.filter((each) => !isThere(each))).toEqual([])
})

test('what is done in the browser each time is there, once, and opens every page', () => {
  expect(daily.filter((line) => !existsSync(new URL(`${specs}/${fileOf(line)}`, root)))).toEqual([])
  expect(daily).toEqual([...new Set(daily)].toSorted())
  expect(daily.filter((line) => line.includes(' › every page fits a phone'))).toHaveLength(1)
})
