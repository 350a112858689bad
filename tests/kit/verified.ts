import type { Client } from '@linewarden/client'
import { lineCommands } from '@linewarden/contract'
import { expect, vi } from 'vitest'

/**
 * Waits until the last order of the line is verified. A simulated breaker has moved before the server knows of it: time that is moved on in
 * between ends the order, and counts the seconds between two operations from later on.
 */
export const verified = (client: Client, line: { ControllerID: string; LineNo: number }) =>
  vi.waitFor(async () => {
    const { items } = await client.call(lineCommands, { params: line, query: {} })
    expect(items[0]?.State).toBe('verified')
  })
