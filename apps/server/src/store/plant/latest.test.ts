import { afterAll, beforeAll, expect, test } from 'vitest'
import { testLines } from '../../areas/control/test-lines.ts'
import { writeCheckpoint } from './latest.ts'

let house: Awaited<ReturnType<typeof testLines>>
beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())

const at = Date.UTC(2026, 0, 15)
const written = async () => {
  const { general } = house.database
  const lines = await general.selectFrom('latest').select('line_id').orderBy('line_id').execute()
  const [mark] = await general.selectFrom('latest_watermark').select('received_at').execute()
  return [lines.map(({ line_id }) => line_id), mark?.received_at.getTime() ?? null]
}

test('a checkpoint is written with its watermark, of lines that have values; one that fails leaves nothing of either', async () => {
  const [line, other, silent] = [house.line(1), house.line(2), house.line(3)]
  for (const each of [line, other]) Object.assign(each, { liveAt: at, liveReceivedAt: at })
  const client = await house.database.connect()
  await client.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
     create trigger refuse before insert on latest_watermark for each row execute function refuse()`,
  )
  await expect(writeCheckpoint(client, [line, silent], at)).rejects.toThrow('no')
  expect(await written()).toEqual([[], null])
  await client.query('drop trigger refuse on latest_watermark')
  await writeCheckpoint(client, [other, silent], at)
  expect(await written()).toEqual([[other.id], at])
  await client.end()
})
