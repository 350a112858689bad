import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { dayOf, dropPartitionsBefore, makePartition, partitionedDays } from './partitions.ts'

const day = dayOf(Date.UTC(2026, 0, 15))
const noon = (of: number) => new Date(of * 86_400_000 + 43_200_000).toISOString()

let test_: TestDatabase
let client: pg.Client

beforeEach(async () => {
  test_ = await testDatabase()
  client = await test_.database.connect()
})
afterEach(async () => {
  await client.end()
  await test_.drop()
})

const insert = (at: string) => client.query('insert into reading (line_id, at, received_at, quality) values (1, $1, $1, 0)', [at])
const tables = async () =>
  (await client.query<{ t: string }>('select tableoid::regclass::text as t from reading order by at')).rows.map(({ t }) => t)

test('a day has its partition, and making it twice changes nothing', async () => {
  await makePartition(client, day)
  await makePartition(client, day)
  expect(await partitionedDays(client)).toEqual(new Set([day]))
  await insert(noon(day))
  expect(await tables()).toEqual(['reading_20260115'])
})

test('readings that came before their partition move into it', async () => {
  await insert(noon(day))
  await insert(noon(day + 1))
  await makePartition(client, day)
  expect(await tables()).toEqual(['reading_20260115', 'reading_default'])
})

test('a partition that cannot be made leaves the readings where they are, and is made once nothing is in its way', async () => {
  await insert(noon(day - 1))
  await insert(noon(day))
  const evening = new Date((day + 1) * 86_400_000 - 1_000).toISOString()
  const end = new Date((day + 1) * 86_400_000).toISOString()
  await client.query(`create table in_the_way partition of reading for values from ('${evening}') to ('${end}')`)
  await expect(makePartition(client, day)).rejects.toThrow('would overlap')
  expect(await tables()).toEqual(['reading_default', 'reading_default'])
  await client.query('drop table in_the_way')
  await makePartition(client, day)
  expect(await tables()).toEqual(['reading_default', 'reading_20260115'])
})

test('two servers may make the same partition at once', async () => {
  const other = await test_.database.connect()
  await Promise.all([makePartition(client, day), makePartition(other, day)]).finally(() => other.end())
  expect(await partitionedDays(client)).toEqual(new Set([day]))
})

test('retention drops whole days before the raw window, and strays of that time; younger days stay', async () => {
  for (const each of [day - 1, day]) await makePartition(client, each)
  for (const each of [day - 2, day - 1, day]) await insert(noon(each))
  expect(await dropPartitionsBefore(client, day)).toEqual(['reading_20260114'])
  expect(await tables()).toEqual(['reading_20260115'])
})
