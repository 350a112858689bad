import type { List, quarantine, Reply } from '@linewarden/contract'
import type { Ingest } from '../../field/ingest.ts'
import type { Database } from '../../store/core/database.ts'
import { listQuarantine } from '../../store/ingest/quarantine.ts'

export type IngestReports = ReturnType<typeof createIngestReports>

/** What ingest took, refused and did not understand. */
export function createIngestReports({ database, ingest }: { database: Database; ingest: Pick<Ingest, 'status'> }) {
  return {
    status: () => ingest.status(),
    async quarantine(page: number, size: number): Promise<Reply<typeof quarantine>> {
      const { rows, total } = await listQuarantine(database, page, size)
      const items = rows.map((row) => ({
        ID: row.quarantine_id,
        ReceivedAt: row.received_at.getTime(),
        GatewayNumber: row.gateway_number,
        Topic: row.topic,
        Reason: row.reason,
        Detail: row.detail,
        Size: row.size,
        Messages: row.messages,
        Payload: row.payload.toString('base64'),
      }))
      return { items, total } satisfies List<(typeof items)[number]>
    },
  }
}
