import { once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { connect, TestIngest } from '../test-ingest.ts'
import { maxFailures } from './connection-limits.ts'

test('a network whose connections come to nothing is cut off for a while, and who is in goes on', async () => {
  const plant = await TestIngest.start()
  try {
    const edge = await plant.edge()
    await edge.birth()
    const unknownClient = async () => {
      const socket = net.connect(plant.ingest.port, '127.0.0.1')
      socket.on('error', () => {}).resume()
      const gone = once(socket, 'close')
      // No CONNECT begins like this.
      socket.write(Buffer.from([0x30]))
      await gone
    }
    const other = () => connect(plant, 'G2', 'secret-of-G2')
    for (let i = 0; i < maxFailures; i += 50) await Promise.all(Array.from({ length: 50 }, unknownClient))
    await expect(other()).rejects.toThrow()
    await edge.data({ values: { residual: 7 } })
    expect(plant.value('residual')).toBe(7)
    plant.now += 1_000
    const client = await other()
    expect(client.connected).toBe(true)
    client.end(true)
  } finally {
    await plant.close()
  }
})
