import type { Client } from '@linewarden/client'
import type { GroupOperationRecord } from '@linewarden/contract'
import { getRun } from '@linewarden/contract'
import { expect, vi } from 'vitest'

/** A group operation when it is over, and none of its commands is under way. */
export const endedGroupOperation = (client: Client, { RunID }: GroupOperationRecord): Promise<GroupOperationRecord> =>
  vi.waitFor(
    async () => {
      const now = await client.call(getRun, { params: { RunID } })
      expect(now.EndedAt).not.toBeNull()
      for (const { Command } of now.Lines) expect(['authorised', 'sent', 'acknowledged']).not.toContain(Command?.State)
      return now
    },
    { interval: 100 },
  )
