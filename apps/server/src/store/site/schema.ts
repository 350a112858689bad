import type { Link } from '@linewarden/rules/alarm'
import type { TimedLinesMode } from '@linewarden/rules/automation'
import type { AddMethod, DeviceType, DockingPlatform, Standard } from '@linewarden/rules/site'
import type { ColumnType, Generated } from 'kysely'

/** The tables of `site` as Kysely sees them. */
export interface SiteTables {
  city: CityTable
  project: ProjectTable
  gateway: GatewayTable
  device: DeviceTable
  line: LineTable
  announced_gateway: {
    number: string
    first_at: Date
    last_at: Date
    tries: number
    address: string
    dismissed: Generated<boolean>
  }
}

interface CityTable {
  city_id: Generated<number>
  name: string
  is_default: Generated<boolean>
  owner_id: string | null
  made_by: Generated<string | null>
  remark: Generated<string>
  version: Generated<number>
}

interface ProjectTable {
  project_id: Generated<number>
  city_id: number
  name: string
  time_zone: string
  currency: Generated<string>
  standard: Generated<Standard>
  owner_id: string | null
  number: Generated<string>
  person_in_charge: Generated<string>
  contact_phone: Generated<string>
  province: Generated<string>
  city: Generated<string>
  district: Generated<string>
  address: Generated<string>
  remark: Generated<string>
  ccid: Generated<string>
  timed_lines: Generated<TimedLinesMode>
  latitude: Generated<number | null>
  longitude: Generated<number | null>
  created_at: Generated<Date>
  removed_at: Date | null
  version: Generated<number>
  quiet_version: Generated<number>
  simulated_since: Generated<Date | null>
}

interface GatewayTable {
  gateway_id: Generated<number>
  project_id: number
  number: string
  name: string
  secret_hash: string
  disabled: Generated<boolean>
  reporting_period_ms: Generated<number>
  link: Generated<Link>
  link_since: Date | null
  link_reason: string | null
  bd_seq: number | null
  imei: string | null
  add_method: Generated<AddMethod>
  platform: Generated<DockingPlatform>
  device_type: Generated<DeviceType>
  remark: Generated<string>
  added_at: Generated<Date>
  removed_at: Date | null
  version: Generated<number>
  model: string | null
  firmware: string | null
  firmware_at: Date | null
  signal_dbm: number | null
  signal_at: Date | null
  keeps_period: Generated<boolean>
}

interface DeviceTable {
  device_id: Generated<number>
  gateway_id: number
  controller_id: string
  wire_id: string | null
  name: string
  family: string
  model: string
  firmware: string | null
  installed_on: ColumnType<Date | null, string | null, string | null>
  warranty_until: ColumnType<Date | null, string | null, string | null>
  service_years: number | null
  version: Generated<number>
  link: Generated<Link>
  link_since: Date | null
  link_reason: string | null
  reporting_period_ms: string | null
}

interface LineTable {
  line_id: Generated<number>
  device_id: number
  line_no: number
  name: string
  rated_current_a: number | null
  trip_latched: string | null
  trip_latches: Generated<number>
  inspection_until: Date | null
  fed_by: number | null
}
