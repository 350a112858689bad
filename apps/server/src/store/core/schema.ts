import type { AccountTables } from '../account/schema.ts'
import type { AlarmTables } from '../alarm/schema.ts'
import type { AuditTables } from '../audit/schema.ts'
import type { AutomationTables } from '../automation/schema.ts'
import type { ControlTables } from '../control/schema.ts'
import type { EnergyTables } from '../energy/schema.ts'
import type { EquipmentTables } from '../equipment/schema.ts'
import type { FirmwareTables } from '../firmware/schema.ts'
import type { HazardTables } from '../hazard/schema.ts'
import type { HealthTables } from '../health/schema.ts'
import type { HistoryTables } from '../history/schema.ts'
import type { IngestTables } from '../ingest/schema.ts'
import type { InspectionTables } from '../inspection/schema.ts'
import type { DueWorkTables } from '../jobs/due-work-schema.ts'
import type { PeopleTables } from '../people/schema.ts'
import type { PhotoTables } from '../photos/schema.ts'
import type { PushTables } from '../push/schema.ts'
import type { ReportTables } from '../report/schema.ts'
import type { ScreenTables } from '../screen/schema.ts'
import type { SettingsTables } from '../settings/schema.ts'
import type { SiteTables } from '../site/schema.ts'
import type { WarningTables } from '../warning/schema.ts'
import type { WorkOrderTables } from '../workorder/schema.ts'

/**
 * The tables as Kysely sees them: each area declares its own, `migrations/` is their definition. `timestamptz` reads as Date; bigint columns come
 * back from the driver as strings, because they may exceed what a number holds.
 */
export interface Schema
  extends AccountTables,
    AlarmTables,
    AuditTables,
    AutomationTables,
    ControlTables,
    DueWorkTables,
    EnergyTables,
    EquipmentTables,
    FirmwareTables,
    HazardTables,
    HealthTables,
    HistoryTables,
    IngestTables,
    InspectionTables,
    PeopleTables,
    PhotoTables,
    PushTables,
    ReportTables,
    ScreenTables,
    SettingsTables,
    SiteTables,
    WarningTables,
    WorkOrderTables {}
