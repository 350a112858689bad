import type { RunEntry } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import i18next from 'i18next'
import { momentText } from '../../../ui/moment-text.ts'
import type { TableColumn } from '../../../ui/table-column.ts'
import type { ZoneOf } from '../parts/use-zones.ts'
import { countsText, reasonsOf } from './run-reasons.ts'

/** What the export of a log has of a run; instants on the clock of its project. */
export function runColumns(
  t: TFunction<['runLog', 'automation', 'app']>,
  zoneOf: ZoneOf,
  isOfTimers: boolean,
): readonly TableColumn<RunEntry>[] {
  const column = (key: string, head: string, text: (run: RunEntry) => string | number | null): TableColumn<RunEntry> => ({
    ...{ key, head, text, cell: text },
  })
  return [
    column('At', t(isOfTimers ? 'due' : 'begun'), (run) =>
      momentText('second', civilZone(zoneOf(run.HouseID)).wallAt(run.DueAt ?? run.ClaimedAt)),
    ),
    column('Name', t(isOfTimers ? 'name' : 'scene'), ({ Name }) => Name),
    column('Action', t(isOfTimers ? 'action' : 'who'), ({ Action, Actor }) =>
      isOfTimers ? Action && i18next.t(`automation:actions.${Action}`) : Actor,
    ),
    column('State', t('result'), ({ State }) => i18next.t(`automation:runStates.${State}`)),
    column('Lines', t('lines'), countsText),
    column('LateMs', `${t('late')} (ms)`, ({ DueAt, ClaimedAt }) => (DueAt === null ? null : ClaimedAt - DueAt)),
    column('TookMs', `${t('took')} (ms)`, ({ EndedAt, ClaimedAt }) => (EndedAt === null ? null : EndedAt - ClaimedAt)),
    column('Why', t('reason'), (run) => reasonsOf(run).join('; ')),
  ]
}
