import type { OrderPhoto } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'

/** What a photo is called for whoever does not see it: what it shows, who sent it, and when it was taken. */
export function usePhotoName(): (photo: OrderPhoto) => string {
  const { t } = useTranslation('workOrders')
  return ({ Role, StepID, Actor, SentAt, TakenAt }) =>
    t('photoBy', {
      what: StepID === null ? t(`photoRoles.${Role}`) : t('photoOfComment'),
      name: Actor,
      time: clockMinute(TakenAt ?? SentAt),
    })
}
