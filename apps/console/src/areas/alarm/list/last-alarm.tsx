import { listEvents, placeNames } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../app/net/use-call.ts'
import type { Selection } from '../../../plant/equipment.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { dayTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { isolated } from '../../../ui/place.tsx'

/** Nothing needs anybody: when that was last otherwise says that the list works. */
export function LastAlarm({ past, selection }: { past: boolean; selection: Selection }) {
  const { t } = useTranslation('alarmList')
  const last = useCall(
    listEvents,
    { body: { ...placeFilter(selection), Kinds: [...alarmKinds], Sort: '-RaisedAt', Size: 1 } },
    { enabled: !past },
  )
  if (past) return <Empty title={t('nonePast')} />
  const event = last.data?.items[0]
  const hint = event
    ? t('noneLast', {
        what: localised(event.Label),
        time: dayTime(event.LastRaisedAt),
        where: isolated(placeNames(event.Where)),
        interpolation: { escapeValue: false },
      })
    : last.data
      ? t('noneEver')
      : undefined
  return <Empty title={t('none')} {...(hint !== undefined && { hint })} />
}
