import { describe, expect, test } from 'vitest'
import type { QueryState } from './combined-query.ts'
import { combineQueries, hasFailed } from './combined-query.ts'

/** Answered a while ago, and at rest. */
const answered: QueryState = {
  data: 'rows',
  dataUpdatedAt: 100,
  isPlaceholderData: false,
  error: null,
  errorUpdateCount: 0,
  isFetching: false,
  refetch: () => {},
}
const lost = new Error('lost')
/** Never answered. */
const never = { ...answered, data: undefined, dataUpdatedAt: 0 }
const firstAsked = { ...never, isFetching: true }
const failed = { ...never, error: lost, errorUpdateCount: 1 }
/** Its error is forgotten as soon as it is on its way again. */
const askedAgain = { ...failed, error: null, isFetching: true }
const outdated = { ...answered, error: lost, errorUpdateCount: 1 }

describe('what failed and has nothing to show', () => {
  test.each([
    ['answered', answered, false],
    ['on its way for the first time', firstAsked, false],
    ['failed', failed, true],
    ['failed and asked again', askedAgain, true],
    [
      'failed and asked again, with the answer to the former question',
      { ...askedAgain, data: 'former', isPlaceholderData: true },
      true,
    ],
    ['answered to the former question only', { ...firstAsked, data: 'former', isPlaceholderData: true }, false],
    ['answered, and not anew', outdated, false],
    ['answered after it had failed', { ...answered, errorUpdateCount: 1 }, false],
  ])('%s', (_, query, expected) => expect(hasFailed(query)).toBe(expected))
})

describe('several queries as one', () => {
  const combined = (...queries: QueryState[]) => {
    const all = combineQueries(queries)
    return { isThere: all.data !== undefined, error: all.error, isFetching: all.isFetching, hasFailed: hasFailed(all) }
  }

  test.each([
    ['all there', [answered, answered], { isThere: true, error: null, isFetching: false, hasFailed: false }],
    ['one on its way', [answered, firstAsked], { isThere: false, error: null, isFetching: false, hasFailed: false }],
    ['one failed', [answered, failed], { isThere: false, error: lost, isFetching: false, hasFailed: true }],
    [
      'one failed, one on its way for the first time: the failed one can be tried again',
      [firstAsked, failed],
      { isThere: false, error: lost, isFetching: false, hasFailed: true },
    ],
    ['one asked again', [answered, askedAgain], { isThere: false, error: null, isFetching: true, hasFailed: true }],
    ['one not anew, all there', [answered, outdated], { isThere: true, error: lost, isFetching: false, hasFailed: false }],
    [
      'one not anew while another is on its way: nothing has failed of what is lacking',
      [outdated, firstAsked],
      { isThere: false, error: null, isFetching: false, hasFailed: false },
    ],
  ])('%s', (_, queries, expected) => expect(combined(...queries)).toEqual(expected))

  test('are as old as the oldest that could not be asked anew', () => {
    expect(
      combineQueries([{ ...answered, dataUpdatedAt: 50 }, outdated, { ...outdated, dataUpdatedAt: 200 }]).dataUpdatedAt,
    ).toBe(100)
    expect(combineQueries([answered, { ...answered, dataUpdatedAt: 50 }]).dataUpdatedAt).toBe(50)
  })

  test('ask only those again that failed', () => {
    const asked: string[] = []
    const called = (name: string, query: QueryState): QueryState => ({ ...query, refetch: () => asked.push(name) })
    combineQueries([called('there', answered), called('lost', failed), called('under way', firstAsked)]).refetch()
    expect(asked).toEqual(['lost'])
  })
})
