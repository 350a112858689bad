import { validSeconds } from '@linewarden/rules/control'
import i18next from 'i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'

export type Operation = 'trip' | 'close' | 'silence' | 'selfTest'

interface OperationWords {
  readonly title: string
  /** What will physically happen. */
  readonly what: string
  readonly note: string
  /** The button that orders it. */
  readonly act: string
}

/** What the dialog of an operation says. A switched way is no breaker: it is called what its family calls it. */
export function operationWords({ line, family }: Pick<LineRef, 'line' | 'family'>, action: Operation): OperationWords {
  const t = i18next.getFixedT(null, 'control')
  const name = line.LineName
  const seconds = validSeconds(action)
  const isWay = family?.icon === 'ways'
  const called = localised(family?.actions.find(({ key }) => key === action)?.label ?? { zh: '', en: '' })
  const ofWay = { title: `${called} ${name}`, act: called }
  switch (action) {
    case 'trip': {
      const note = t('tripDeadline', { seconds })
      return isWay
        ? { ...ofWay, what: t('wayOffWhat', { name }), note }
        : { title: t('tripTitle', { name }), what: t('tripWhat', { name }), note, act: t('confirmTrip') }
    }
    case 'close': {
      const note = t('closeDeadline', { seconds })
      return isWay
        ? { ...ofWay, what: t('wayOnWhat', { name }), note }
        : { title: t('closeTitle', { name }), what: t('closeWhat', { name }), note, act: t('confirmClose') }
    }
    case 'silence':
      return {
        title: t('silenceTitle', { name }),
        what: t('silenceWhat'),
        note: t('actionDeadline', { seconds }),
        act: t('silence'),
      }
    case 'selfTest':
      return {
        title: t('testTitle', { name }),
        what: t('testWhat'),
        note: t('actionDeadline', { seconds }),
        act: t('detectorTest'),
      }
  }
}
