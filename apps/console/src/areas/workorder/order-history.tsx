import type { OrderPhoto, OrderStep } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'
import { usePhotoName } from './use-photo-name.ts'

/** Everything that happened to it and was written about it, the oldest first; nothing of it is ever changed. */
export function OrderHistory({
  steps,
  photos,
  onOpen,
}: {
  steps: readonly OrderStep[]
  photos: readonly OrderPhoto[]
  onOpen: (photo: OrderPhoto) => void
}) {
  const { t } = useTranslation('workOrders')
  const nameOf = usePhotoName()
  return (
    <section className="part" aria-label={t('history')}>
      <h3>
        {t('history')} <small>{t('onlyAdded')}</small>
      </h3>
      <ol className="order-history">
        {steps.map((step) => (
          <li key={step.StepID}>
            <time dateTime={new Date(step.At).toISOString()}>{clockMinute(step.At)}</time>
            <b>{t(`steps.${step.Act}`)}</b>
            <span>
              <StepText step={step} />
              {photos
                .filter(({ StepID }) => StepID === step.StepID)
                .map((photo) => (
                  <button
                    key={photo.Hash}
                    type="button"
                    className="text-link step-photo"
                    aria-label={t('openPhoto', { photo: nameOf(photo) })}
                    onClick={() => onOpen(photo)}
                  >
                    {t('photo')}
                  </button>
                ))}
            </span>
            <i>{step.Actor ?? t('system')}</i>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Sent sooner than this, nobody needs to read when it was done. */
const soonMs = 120_000

/** What was done and written, and when it was where the server was told late. */
export function StepText({ step: { Act, At, Person, Until, Why, Text, PhoneTime, ClockOffsetMs } }: { step: OrderStep }) {
  const { t } = useTranslation('workOrders')
  // As the phone says, by the clock of the server.
  const doneAt = PhoneTime === null ? At : Math.min(At, PhoneTime + (ClockOffsetMs ?? 0))
  const parts = [
    Person === null ? '' : Act === 'remind' ? Person : t('toPerson', { name: Person }),
    Why === null ? '' : t(`whys.${Why}`),
    Until === null ? '' : t('until', { time: clockMinute(Until) }),
    Text,
    At - doneAt < soonMs ? '' : t('doneAt', { time: clockMinute(doneAt) }),
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
