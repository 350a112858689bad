import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import fastify from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refuseInWords } from './refuse-in-words.ts'

const gone = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
const app = fastify()
let url: string
let logged: string[] = []

beforeAll(async () => {
  refuseInWords(app, pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) }))
  app.get('/asks', () => {
    throw gone()
  })
  app.get('/leaves', async ({ raw: { socket } }) => {
    socket.destroy()
    throw gone()
  })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(() => {
  logged = []
})
afterAll(() => app.close())

test('a client whose own connection was reset is not taken for the database', async () => {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  client.end('GET /leaves HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'close')
  await fetch(`${url}/none`)
  expect(logged).toEqual([])
})

test('a connection of the database that was reset is told to whoever waits, and to the log once', async () => {
  for (const _ of [1, 2]) expect((await fetch(`${url}/asks`)).status).toBe(503)
  expect(logged).toEqual(['calls are refused: the database does not answer'])
})
