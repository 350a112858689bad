import type { OrderStep } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'

/** Everything that happened to it and was written about it, the oldest first; nothing of it is ever changed. */
export function OrderHistory({ steps }: { steps: readonly OrderStep[] }) {
  const { t } = useTranslation('workOrders')
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
            </span>
            <i>{step.Actor ?? t('system')}</i>
          </li>
        ))}
      </ol>
    </section>
  )
}

function StepText({ step: { Act, Person, Until, Why, Text } }: { step: OrderStep }) {
  const { t } = useTranslation('workOrders')
  const parts = [
    Person === null ? '' : Act === 'remind' ? Person : t('toPerson', { name: Person }),
    Why === null ? '' : t(`whys.${Why}`),
    Until === null ? '' : t('until', { time: clockMinute(Until) }),
    Text,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
