import type { Logger } from 'pino'
import type { Metric } from 'prom-client'
import { createTakenLimit } from './access/taken-limit.ts'
import { accountArea } from './areas/account/area.ts'
import { openPeppers, peppersMeasured } from './areas/account/peppers.ts'
import { alarmArea } from './areas/alarm/area.ts'
import { auditArea } from './areas/audit/area.ts'
import { automationArea } from './areas/automation/area.ts'
import { firmwareArea } from './areas/firmware/area.ts'
import { hazardArea } from './areas/hazard/area.ts'
import { healthArea } from './areas/health/area.ts'
import { inspectionArea } from './areas/inspection/area.ts'
import { pushArea } from './areas/push/area.ts'
import { reportArea } from './areas/report/area.ts'
import { screenArea } from './areas/screen/area.ts'
import { withSeats } from './areas/screen/links/with-seats.ts'
import type { Core, ServerArea } from './areas/server-area.ts'
import { siteArea } from './areas/site/area.ts'
import { warningArea } from './areas/warning/area.ts'
import { workorderArea } from './areas/workorder/area.ts'
import { AuditCopy } from './audit/copy.ts'
import { createRefusedAttempts } from './audit/refused-attempts.ts'
import { buildAreas, jobsOf, subjectSources } from './built-areas.ts'
import type { Config } from './config.ts'
import { exposuresOf } from './exposure.ts'
import { startIngest } from './field/ingest.ts'
import { buildHttp } from './http/app.ts'
import { Downloads } from './http/downloads.ts'
import { Tickets } from './http/live/tickets.ts'
import { ReportSources } from './http/report-source.ts'
import { endedWork } from './jobs/ended-work.ts'
import { startJobs } from './jobs/jobs.ts'
import { photoCare } from './jobs/photo-care.ts'
import { Runner } from './jobs/runner.ts'
import { workMeasured } from './jobs/work-measured.ts'
import { prepareDataFolder } from './lib/data-folder.ts'
import { caught } from './lib/faults.ts'
import { openPhotos } from './photos/open-photos.ts'
import { Hub } from './plant/hub.ts'
import { serverAreas } from './server-areas.ts'
import { openDatabase, overmighty } from './store/core/database.ts'
import { startEmbeddedPostgres } from './store/embedded/embedded.ts'
import { clockOf, databaseClock } from './store/jobs/due-work.ts'
import { loadPlant } from './store/plant/plant.ts'
import type { Certificates } from './tls/certificates.ts'
import { openCertificates } from './tls/certificates.ts'

export type Server = Awaited<ReturnType<typeof compose>>

interface Outside {
  readonly log: Logger
  readonly clock: () => number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Decides what is due in a test, in place of the database's clock. */
  readonly dueClock?: () => number
}

/** Builds every dependency once, in order; `close` takes them down in reverse. A failing step takes down what was built before it. */
export async function compose(config: Config, { log, clock, env, dueClock }: Outside) {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each().catch((error) => log.error({ err: error }, 'closing failed'))
  }
  try {
    const certificates = await openCertificates(config, { clock, log })
    closers.push(() => certificates.close())
    await prepareDataFolder(config.dataDir)
    const connection = await databaseSettings(config, log, closers)
    const database = await openDatabase(connection, (line) => log.info(line))
    closers.push(() => database.close())
    const auditCopy = new AuditCopy({ folder: config.auditCopy, database, clock, log })
    // Closed after everything that writes into the audit trail.
    closers.push(() => auditCopy.close())
    const warning = await overmighty(database)
    if (warning !== null) log.warn(warning)
    const given = env.LINEWARDEN_PEPPER
    const peppers = await openPeppers({ database, given, dataDir: config.dataDir, givenUp: config.peppersGivenUp, clock, log })
    const refused = createRefusedAttempts({ database, clock, log })
    closers.push(() => refused.close())
    const plant = await loadPlant(database)
    const hub = new Hub((error) => caught(log, 'live', error))
    // Gateways speak as soon as the broker listens; what proves an order that the last run left open must not be missed.
    hub.keepEarly()
    const ingest = await startIngest({ ...config, certificate: certificates.mqtt, database, plant, hub, refused, clock, log })
    closers.push(() => ingest.close())
    const exposures = () => [...exposuresOf(config, certificates), ...auditCopy.exposures()]
    const all: readonly ServerArea[] = Object.values(serverAreas)
    const subjects = subjectSources(all, { database, plant })
    const [tickets, downloads, takenLimit] = [new Tickets(clock), new Downloads(clock), createTakenLimit(clock)]
    const reports = new ReportSources()
    const runner = new Runner({ database, log, isOnlyServer: config.databaseUrl === null })
    // Closed after the areas, which finish what they carry out.
    closers.push(() => runner.close())
    const photos = await openPhotos({ config, database, clock, log })
    const core: Core = {
      ...{ config, database, plant, hub, ingest, peppers, refused, auditCopy, exposures, subjects, photos, reports },
      ...{ tickets, downloads, takenLimit, runner, clock, dueClock: dueClock ? clockOf(dueClock) : databaseClock, log },
    }
    const areas = await buildAreas(all, core, (each) => closers.push(each))
    hub.forgetEarly()
    await runner.start()
    closers.push(() => runner.rest())
    const { accounts } = areas.of(accountArea)
    const http = await buildHttp({
      ...core,
      metrics: metricsOf({ database, ingest, certificates, auditCopy }, areas.of(automationArea).metrics),
      ...{ certificates, accounts: withSeats(accounts, areas.of(screenArea).seats), degraded: () => ingest.status().Degraded },
      mountPublicRoutes: areas.mountPublicRoutes,
      mount: areas.mount,
    })
    closers.push(() => http.close())
    const { url, port, redirectPort } = await http.listen()
    const background = areas.begin()
    const jobs = startJobs([...jobsOf(all), endedWork, photoCare(photos)], {
      database,
      clock,
      log,
      rawDays: config.rawDays,
      sessionAbsoluteMs: config.sessionAbsoluteMs,
    })
    closers.push(async () => (await jobs).close())
    return {
      ...{ url, port, redirectPort, dataDir: config.dataDir },
      viewers: http.viewers,
      mqttPort: ingest.port,
      mqttPorts: ingest.ports,
      certificates,
      plant,
      hub,
      database,
      ingest,
      accounts,
      /** Runs work of the background at once, besides its times. */
      beginJob: async (task: string) => (await jobs).begin(task),
      auditCopy,
      refused,
      photos,
      site: areas.of(siteArea),
      firmware: areas.of(firmwareArea),
      firmwareKeys: config.firmwareKeys,
      push: areas.of(pushArea),
      alarm: areas.of(alarmArea),
      warning: areas.of(warningArea),
      ...{ automation: areas.of(automationArea), workOrders: areas.of(workorderArea) },
      ...{ health: areas.of(healthArea), hazards: areas.of(hazardArea), inspection: areas.of(inspectionArea) },
      postman: areas.of(reportArea).scheduled.postman,
      /** Resolves when what stood under older peppers stands under the newest. */
      resealed: background.get(accountArea)?.done,
      /** Resolves when what was written before subjects had columns of their own is brought over. */
      broughtOver: background.get(auditArea)?.done,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const metricsOf = (
  { database, ingest, certificates, auditCopy }: Pick<Core, 'database' | 'ingest' | 'auditCopy'> & { certificates: Certificates },
  ofTimers: readonly Metric[],
): readonly Metric[] => [
  ...[peppersMeasured(database), workMeasured(database)],
  ...[ingest, certificates, auditCopy].flatMap(({ metrics }) => metrics),
  ...ofTimers,
]

async function databaseSettings({ databaseUrl, dataDir }: Config, log: Logger, closers: (() => Promise<void>)[]) {
  if (databaseUrl !== null) return { connectionString: databaseUrl }
  const embedded = await startEmbeddedPostgres({ dataDir, log: (line) => log.info(line) })
  closers.push(() => embedded.stop())
  return embedded.connection
}
