import { draftStatement, exportStatements, issueStatement } from '@linewarden/contract'
import { fileOf } from '../tests/kit/exported.ts'
import { smallPlan } from '../tests/kit/small-plan.ts'
import { startStack } from '../tests/kit/stack.ts'
import { addSupply, storeSpring } from '../tests/kit/statement-house.ts'

/** What so many issued statements take as one zip, each with its JSON, its hash and its PDF. They are one that was issued, under other numbers. */
export async function statementsZip(statements: number) {
  const stack = await startStack({ plan: smallPlan, fleet: { ticking: false } })
  const { server, client } = stack
  const HouseID = server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const lines = [1, 2].flatMap((lineNo) => server.plant.lineAt('A-T1', lineNo)?.id ?? [])
  await storeSpring(server, lines)
  const { SupplyID } = await addSupply(client, HouseID, lines)
  const body = { HouseID, SupplyID, Month: '2025-04' }
  const { Total } = await client.call(draftStatement, { body })
  await client.call(issueStatement, { body: { ...body, Total: Total ?? '', Estimates: null } })
  const db = await server.database.connect()
  await db.query(
    `insert into statement (project_id, supply_id, number, month, first_day, end_day, engine, canonical, sha256, head, issued_at, issued_name)
     select project_id, supply_id, number || '-' || n, month, first_day - 31 * n, end_day - 31 * n, engine, canonical, sha256, head, issued_at, issued_name
     from statement, generate_series(1, $1::int - 1) n`,
    [statements],
  )
  const { rows } = await db.query<{ id: number }>('select statement_id as id from statement')
  await db.end()
  const began = performance.now()
  const StatementIDs = rows.map(({ id }) => id)
  const zip = await fileOf(stack.url, client.call(exportStatements, { body: { HouseID, StatementIDs, Language: 'CN' } }))
  const zipSeconds = (performance.now() - began) / 1_000
  await stack.close()
  return { statements, zipSeconds: Number(zipSeconds.toFixed(1)), zipMb: Number((zip.length / 1_048_576).toFixed(1)) }
}
