import type { Logger } from 'pino'
import { createTakenLimit } from './access/taken-limit.ts'
import { createAdministration } from './areas/account/administration.ts'
import { createBranding } from './areas/account/branding.ts'
import { openPeppers, peppersMeasured, startResealing } from './areas/account/peppers.ts'
import { accountRoutes, brandingRoutes, signInRoutes, userRoutes } from './areas/account/routes.ts'
import { createAccounts } from './areas/account/service.ts'
import { createSignOn } from './areas/account/sign-on.ts'
import { alarmRoutes } from './areas/alarm/routes.ts'
import { createAlarms } from './areas/alarm/service.ts'
import { startBringingOver } from './areas/audit/bring-over.ts'
import { auditRoutes } from './areas/audit/routes.ts'
import { createAuditTrail } from './areas/audit/service.ts'
import { controlRoutes } from './areas/control/routes.ts'
import { createControl } from './areas/control/service.ts'
import { equipmentRoutes, tokenRoutes } from './areas/equipment/routes.ts'
import { createEquipment } from './areas/equipment/service.ts'
import { createTokens } from './areas/equipment/tokens.ts'
import { firmwareRoutes } from './areas/firmware/routes.ts'
import { createFirmware } from './areas/firmware/service.ts'
import { historyRoutes } from './areas/history/routes.ts'
import { createHistory } from './areas/history/service.ts'
import { ingestRoutes } from './areas/ingest/routes.ts'
import { createIngestReports } from './areas/ingest/service.ts'
import { monitorRoutes } from './areas/monitor/routes.ts'
import { createMonitor } from './areas/monitor/service.ts'
import { pushRoutes } from './areas/push/routes.ts'
import { createPush } from './areas/push/service.ts'
import { settingsRoutes } from './areas/settings/routes.ts'
import { createSettings } from './areas/settings/service.ts'
import { siteRoutes } from './areas/site/routes.ts'
import { createSite } from './areas/site/service.ts'
import { createAuditCopy } from './audit/copy.ts'
import { createRefusedAttempts } from './audit/refused-attempts.ts'
import { auditSubjects } from './audit-subjects.ts'
import type { Config } from './config.ts'
import { exposuresOf } from './exposure.ts'
import { startIngest } from './field/ingest.ts'
import { buildHttp } from './http/app.ts'
import { Downloads } from './http/downloads.ts'
import { Tickets } from './http/live/tickets.ts'
import { startJobs } from './jobs/jobs.ts'
import { prepareDataFolder } from './lib/data-folder.ts'
import { caught } from './lib/faults.ts'
import { Hub } from './plant/hub.ts'
import { openDatabase, overmighty } from './store/core/database.ts'
import { startEmbeddedPostgres } from './store/embedded/embedded.ts'
import { loadPlant } from './store/plant/plant.ts'
import { openCertificates } from './tls/certificates.ts'

export type Server = Awaited<ReturnType<typeof compose>>

/** Builds every dependency once, in order; `close` takes them down in reverse. A failing step takes down what was built before it. */
export async function compose(
  config: Config,
  { log, clock, env }: { log: Logger; clock: () => number; env: Readonly<Record<string, string | undefined>> },
) {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each().catch((error) => log.error({ err: error }, 'closing failed'))
  }
  try {
    const certificates = await openCertificates(config, { clock, log })
    closers.push(() => certificates.close())
    await prepareDataFolder(config.dataDir)
    const connection = await databaseSettings()
    const database = await openDatabase(connection, (line) => log.info(line))
    closers.push(() => database.close())
    const auditCopy = createAuditCopy({ folder: config.auditCopy, database, clock, log })
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
    const branding = await createBranding({ config, database, clock })
    const exposures = () => [...exposuresOf(config, certificates), ...auditCopy.exposures()]
    const accounts = await createAccounts({ config, peppers, database, plant, branding, exposures, refused, clock, log })
    const takenLimit = createTakenLimit(clock)
    const administration = createAdministration({ config, database, plant, accounts, takenLimit, clock, log })
    closers.push(() => administration.partner.close())
    const site = createSite({ config, database, plant, hub, ingest, rightsChanged: accounts.rightsChanged, takenLimit, clock })
    const settings = await createSettings({ database, plant, hub, ingest, grants: accounts.grants, clock, log })
    closers.push(() => settings.close())
    const control = await createControl({
      database,
      plant,
      hub,
      ingest,
      grants: accounts.grants,
      confirmAboveLines: config.confirmAboveLines,
      doubtful: settings.doubtful,
      actorNow: ({ accountId, sessionId, address }) => accounts.actorOf(accountId, sessionId, address),
      clock,
      log,
    })
    closers.push(() => control.close())
    hub.forgetEarly()
    const firmware = await createFirmware({ config, database, plant, hub, ingest, clock, log })
    closers.push(() => firmware.close())
    const monitor = createMonitor({ database, plant })
    const alarms = createAlarms({ database, plant, hub, clock })
    const equipment = createEquipment({ plant, control, monitor, alarms })
    const tokens = createTokens({ database, plant, equipment, accounts, clock })
    const reports = createIngestReports({ database, ingest })
    const push = createPush({ database, plant, ingest, seal: accounts.sealFor('push secrets'), clock, log })
    closers.push(() => push.close())
    const tickets = new Tickets(clock)
    const downloads = new Downloads(clock)
    const history = createHistory({ database, plant, downloads, clock })
    const subjects = auditSubjects({ database, plant })
    const trail = createAuditTrail({ database, plant, subjects, auditCopy })
    const http = await buildHttp({
      subjects,
      config,
      metrics: [peppersMeasured(database), ...certificates.metrics, ...auditCopy.metrics],
      certificates,
      database,
      plant,
      hub,
      clock,
      log,
      accounts,
      refused,
      tickets,
      downloads,
      mountDoors(app) {
        branding.mountLogo(app)
        push.mountDoor(app)
        if (config.signOn) createSignOn({ config: config.signOn, database, accounts, clock, log }).mount(app)
      },
      mount(serve) {
        accountRoutes(serve, accounts, { tickets, downloads })
        signInRoutes(serve, accounts)
        brandingRoutes(serve, branding)
        userRoutes(serve, administration)
        auditRoutes(serve, trail)
        siteRoutes(serve, site)
        monitorRoutes(serve, monitor)
        historyRoutes(serve, history)
        controlRoutes(serve, control)
        settingsRoutes(serve, settings)
        equipmentRoutes(serve, equipment)
        tokenRoutes(serve, tokens)
        alarmRoutes(serve, alarms)
        firmwareRoutes(serve, firmware)
        ingestRoutes(serve, reports)
        pushRoutes(serve, push)
      },
    })
    closers.push(() => http.close())
    const { url, port, redirectPort } = await http.listen()
    const resealing = startResealing({ database, peppers, log })
    closers.push(() => resealing.close())
    const bringingOver = startBringingOver({ database, clock, log })
    closers.push(() => bringingOver.close())
    const jobs = startJobs({ database, clock, log, rawDays: config.rawDays, sessionAbsoluteMs: config.sessionAbsoluteMs })
    closers.push(async () => (await jobs).close())
    return {
      url,
      port,
      redirectPort,
      dataDir: config.dataDir,
      viewers: http.viewers,
      mqttPort: ingest.port,
      mqttPorts: ingest.ports,
      certificates,
      plant,
      hub,
      database,
      ingest,
      accounts,
      auditCopy,
      refused,
      site,
      firmware,
      firmwareKeys: config.firmwareKeys,
      push,
      /** Resolves when what stood under older peppers stands under the newest. */
      resealed: resealing.done,
      /** Resolves when what was written before subjects had columns of their own is brought over. */
      broughtOver: bringingOver.done,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function databaseSettings() {
    if (config.databaseUrl !== null) return { connectionString: config.databaseUrl }
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
    closers.push(() => embedded.stop())
    return embedded.connection
  }
}
