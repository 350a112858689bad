import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Launcher } from './launcher.ts'
import { isAlive } from './postmaster.ts'

/** As whom the server works: owns its database and nothing beyond. */
export const serverRole = 'linewarden'
/** PostgreSQL's own superuser: makes roles and the database, and is refused once the server is prepared. */
export const superuser = 'linewarden_bootstrap'
/** Stands in while a superuser of an older version is renamed, because nobody can rename the role they work as. */
const deputy = 'linewarden_deputy'

/** Who may connect; what no line names is refused. The socket's folder is closed to other users of the machine. */
const accessRules = (lines: readonly string[]): string =>
  `${['# Written by Linewarden; changes here are lost.', ...lines, 'local all all reject', 'host all all all reject', 'host replication all all reject'].join('\n')}\n`
const closed = accessRules([`local ${serverRole} ${serverRole} trust`])
const preparing = accessRules([`local all ${superuser},${deputy},${serverRole} trust`])

const rulesOf = (cluster: string): string => join(cluster, 'pg_hba.conf')

/** Whether the cluster was prepared to its end: only the server's role is let in. */
export const isClosed = async (cluster: string): Promise<boolean> =>
  (await readFile(rulesOf(cluster), 'utf8').catch(() => '')) === closed

/** Lets nobody but the server's role and those who prepare the cluster in, from the next start on. */
export const openForPreparing = (cluster: string, launcher: Launcher): Promise<void> => writeRules(cluster, preparing, launcher)

/** Lets nobody but the server's role in, at once. */
export async function closeToOthers(cluster: string, launcher: Launcher, postmasterPid: number): Promise<void> {
  await writeRules(cluster, closed, launcher)
  // One that has just died reads them when it is started again.
  if (await isAlive(postmasterPid)) process.kill(postmasterPid, 'SIGHUP')
}

async function writeRules(cluster: string, rules: string, launcher: Launcher): Promise<void> {
  await writeFile(rulesOf(cluster), rules, { mode: 0o600 })
  launcher.own(rulesOf(cluster))
}

/**
 * Makes the server's role and its database, and brings a cluster over in which an older version worked as the superuser: that one gets
 * another name, and what it made becomes the server role's. Every step may come twice, because a start may end in its middle.
 */
export async function prepareRoles(connection: pg.ClientConfig): Promise<void> {
  const as = <T>(user: string, database: string, work: (client: pg.Client) => Promise<T>) =>
    connected({ ...connection, user, database }, work)
  if (await as(superuser, 'postgres', async () => false).catch(isUnknownRole)) {
    await as(serverRole, 'postgres', (client) => makeRole(client, deputy, 'superuser login'))
    await as(deputy, 'postgres', (client) => client.query(`alter role ${serverRole} rename to ${superuser}`))
  }
  await as(superuser, 'postgres', async (client) => {
    await client.query(`drop role if exists ${deputy}`)
    await makeRole(client, serverRole, 'login')
    await makeRole(client, 'linewarden_seen', 'nologin')
    await client.query(`grant linewarden_seen to ${serverRole}`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [serverRole])
    if (rowCount === 0) await client.query(`create database ${serverRole} owner ${serverRole}`)
    await client.query(`alter database ${serverRole} owner to ${serverRole}`)
  })
  await as(superuser, serverRole, (client) => client.query(giveAll))
}

const makeRole = async (client: pg.Client, name: string, rights: string): Promise<void> => {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  if (rowCount === 0) await client.query(`create role ${name} ${rights}`)
}

/** `reassign owned` refuses for the first superuser, so each kind of thing is given by itself, all in one transaction. */
const giveAll = `
do $$
declare
  thing record;
begin
  for thing in
    with place as (
      select oid, nspname, nspowner from pg_namespace
      where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)')
    select 1 as turn, format('schema %I', nspname) as name from place where nspowner = 10
    union all
    select 2, format('table %I.%I', nspname, relname) from pg_class join place on place.oid = relnamespace
      where relowner = 10 and relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select 3, format('sequence %I.%I', nspname, relname) from pg_class join place on place.oid = relnamespace
      where relowner = 10 and relkind = 'S'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i'))
    union all
    select 4, format('type %I.%I', nspname, typname) from pg_type join place on place.oid = typnamespace
      left join pg_class on pg_class.oid = typrelid where typowner = 10 and (typtype in ('e', 'd', 'r') or relkind = 'c')
    union all
    select 5, format('routine %s', pg_proc.oid::regprocedure) from pg_proc join place on place.oid = pronamespace where proowner = 10
    union all
    select 6, format('collation %I.%I', nspname, collname) from pg_collation join place on place.oid = collnamespace where collowner = 10
    union all
    select 7, format('statistics %I.%I', nspname, stxname) from pg_statistic_ext join place on place.oid = stxnamespace
      where stxowner = 10
    order by turn
  loop
    execute format('alter %s owner to ${serverRole}', thing.name);
  end loop;
end $$`

/** A role that is not there: an older version made the cluster. */
const isUnknownRole = (error: { code?: string }): true => {
  if (error.code === '28000') return true
  throw error
}

async function connected<T>(settings: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
