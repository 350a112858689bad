/** The table of due and long work as Kysely sees it. */
export interface DueWorkTables {
  due_work: {
    work_id: string
    kind: string
    key: string
    due_at: Date
    holder: string | null
    lease_until: Date
    fence: number
    ended_at: Date | null
    outcome: string | null
  }
}
