import { basePath, messages } from '@linewarden/contract'
import fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Plant } from '../../plant/plant.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import type { Seal } from '../account/secrets.ts'
import { createRefusals } from './refusals.ts'
import { mountPushWebhook } from './webhook.ts'

test('whoever takes a new address of their own network for each wrong push is slowed down like one from a single address', async () => {
  const { database, drop } = await testDatabase()
  const clock = () => Date.UTC(2026, 0, 15)
  const refusals = createRefusals({ database, clock, log: pino({ enabled: false }) })
  const app = fastify()
  mountPushWebhook(app, { database, refusals, clock, plant: {} as Plant, seal: {} as Seal, arrived: () => {} })
  const pushFrom = async (remoteAddress: string): Promise<number> =>
    (await app.inject({ method: 'POST', url: `${basePath}/push/1/guessed`, payload: {}, remoteAddress })).statusCode
  const wrong = messages['push signature wrong'].status
  const tooFast = messages['push too fast'].status
  const statuses: number[] = []
  for (let i = 1; i <= 32; i++) statuses.push(await pushFrom(`2001:db8:1:2::${i.toString(16)}`))
  expect(statuses).toEqual([...Array(30).fill(wrong), tooFast, tooFast])
  expect(await pushFrom('2001:db8:1:3::1')).toBe(wrong)
  await refusals.close()
  await app.close()
  await drop()
})
