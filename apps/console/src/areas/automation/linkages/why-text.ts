import { useTranslation } from 'react-i18next'

const outcomes = ['cooldown', 'maxPerHour', 'maxPerDay', 'outsideHours', 'halted'] as const
const near = ['almost', 'blind', 'shadow', 'chain', 'chainTooLong', 'late', 'inactive', 'broken'] as const
const later = ['unobserved', 'conditionOver', 'disabledMeanwhile', 'sceneDisabled', 'failed', 'tripsOnly'] as const

/** Why a linkage did not act, or not wholly, as people read it; why single lines were not operated stands beside them. */
export function useWhy(): (why: string) => string {
  const { t } = useTranslation('linkages')
  return (why) => {
    const outcome = outcomes.find((each) => each === why)
    if (outcome) return t(`outcomes.${outcome}`)
    const known = [...near, ...later].find((each) => each === why)
    return known ? t(`nearWhy.${known}`) : ''
  }
}
