import type { insertReportSchedule, ReportSchedule, Request } from '@linewarden/contract'
import { reportKinds } from '@linewarden/contract'
import { maxDeviceDataLines } from '@linewarden/rules/report'
import type { LineRef } from '../../plant/equipment.ts'
import { language } from '../../ui/i18n.ts'
import { measuring, pointsOf, usualPoints } from './subject.ts'

type Fields = Omit<Request<typeof insertReportSchedule>['body'], 'HouseID'>

/** A recipient as it is entered: an account, or an address. */
export interface RecipientValues {
  readonly AccountID: string
  readonly Address: string
  readonly Language: 'CN' | 'EN'
}

export interface ScheduleValues extends Pick<Fields, 'Name' | 'Kind' | 'Period' | 'Cron' | 'Format' | 'Enabled'> {
  /** Empty: the whole project. */
  readonly DeviceID: string
  readonly Recipients: readonly RecipientValues[]
}

/** At eight in the morning after the period. */
export const usualCrons: Readonly<Record<ScheduleValues['Period'], string>> = {
  day: '0 8 * * *',
  week: '0 8 * * 1',
  month: '0 8 1 * *',
}

/** What the form begins with; a new one goes to the first account that there is. */
export function scheduleStart(
  schedule: ReportSchedule | null,
  accounts: readonly { readonly AccountID: string }[],
): ScheduleValues {
  if (!schedule) {
    const own = { AccountID: accounts[0]?.AccountID ?? '', Address: '', Language: language() }
    return {
      ...{ Name: '', Kind: 'energy', DeviceID: '', Period: 'month', Cron: usualCrons.month, Format: 'xlsx', Enabled: true },
      Recipients: [own],
    }
  }
  const { Name, Kind, Period, Cron, Format, Enabled, Scope, Recipients } = schedule
  return {
    ...{ Name, Kind, Period, Cron, Format, Enabled, DeviceID: Scope.DeviceID === undefined ? '' : String(Scope.DeviceID) },
    Recipients: Recipients.map((each) => ({
      ...{ AccountID: each.AccountID ?? '', Language: each.Language },
      Address: each.AccountID === null ? (each.Address ?? '') : '',
    })),
  }
}

/** What is sent of it. Device data are of all that a gateway's lines measure usually, by the hour. */
export function scheduleOf(
  { DeviceID, Recipients, Name, ...values }: ScheduleValues,
  before: ReportSchedule | null,
  refs: readonly LineRef[],
): Fields {
  return {
    ...{ ...values, Name: Name.trim(), Cron: values.Cron.trim() },
    Scope: scopeOf(values.Kind, DeviceID === '' ? null : Number(DeviceID), before, refs),
    Recipients: Recipients.map(({ AccountID, Address, Language }) =>
      AccountID === '' ? { Address: Address.trim(), Language } : { AccountID, Language },
    ),
  }
}

function scopeOf(
  kind: ScheduleValues['Kind'],
  deviceId: number | null,
  before: ReportSchedule | null,
  refs: readonly LineRef[],
): Fields['Scope'] {
  if (reportKinds[kind].of === 'project') return {}
  if (reportKinds[kind].of !== 'lines') return deviceId === null ? {} : { DeviceID: deviceId }
  if (deviceId === null) return {}
  // Lines and points that were chosen stay, as long as it is of the same gateway.
  if (before?.Kind === kind && before.Scope.DeviceID === deviceId) return before.Scope
  const lines = measuring(refs.filter(({ gateway }) => gateway.DeviceID === deviceId)).slice(0, maxDeviceDataLines)
  const Points = usualPoints(pointsOf(lines)).map(({ key }) => key)
  return { DeviceID: deviceId, LineIDs: lines.map(({ line }) => line.LineID), Points, Step: 'hour' }
}
