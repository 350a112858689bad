import type { TariffContent } from '@linewarden/contract'
import { powerFactorStandards } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../ui/fields.tsx'

type Rule = NonNullable<TariffContent['DemandRule']>
type Edit = (part: Partial<TariffContent>) => void

const none: Rule = { Base: 'actual', Over: null, FloorPercent: null, Discount: null }

/** How demand is billed, and whether the power factor adjusts the bill. */
export function TariffDemand({ content, onEdit }: { content: TariffContent; onEdit: Edit | null }) {
  const { t } = useTranslation('tariffs')
  const { DemandRule: rule, PowerFactorStandard } = content
  if (!onEdit)
    return (
      <section className="tariff-part" aria-label={t('rules')}>
        <h3>{t('rules')}</h3>
        <p>{demandText(rule, t)}</p>
        <p>
          {PowerFactorStandard === null
            ? t('noPowerFactor')
            : t('standardIs', { standard: (PowerFactorStandard / 100).toFixed(2) })}
        </p>
      </section>
    )
  return (
    <section className="tariff-part" aria-label={t('rules')}>
      <h3>{t('rules')}</h3>
      <div className="form-grid">
        <SelectField
          label={t('demandBase')}
          value={rule?.Base ?? ''}
          options={[
            { value: '', label: t('noDemand') },
            { value: 'actual', label: t('actual') },
            { value: 'declared', label: t('declared') },
          ]}
          onChange={(base) =>
            onEdit({
              DemandRule:
                base === 'declared'
                  ? { ...none, Base: 'declared', Over: { AbovePercent: 105, Factor: 2 } }
                  : base === 'actual'
                    ? none
                    : null,
            })
          }
        />
        <SelectField
          label={t('powerFactor')}
          hint={t('powerFactorHint')}
          value={String(PowerFactorStandard ?? '')}
          options={[
            { value: '', label: t('noPowerFactor') },
            ...powerFactorStandards.map((each) => ({ value: String(each), label: (each / 100).toFixed(2) })),
          ]}
          onChange={(to) => onEdit({ PowerFactorStandard: powerFactorStandards.find((each) => String(each) === to) ?? null })}
        />
        {rule && <RuleFields rule={rule} onRule={(DemandRule) => onEdit({ DemandRule })} />}
      </div>
    </section>
  )
}

function RuleFields({ rule, onRule }: { rule: Rule; onRule: (rule: Rule) => void }) {
  const { t } = useTranslation('tariffs')
  const { Base, Over, FloorPercent, Discount } = rule
  if (Base === 'declared')
    return (
      <>
        <Whole
          label={t('abovePercent')}
          unit="%"
          value={Over?.AbovePercent ?? 105}
          most={1_000}
          onWhole={(AbovePercent) => onRule({ ...rule, Over: { Factor: Over?.Factor ?? 2, AbovePercent } })}
        />
        <Whole
          label={t('aboveFactor')}
          unit={t('times')}
          value={Over?.Factor ?? 2}
          most={10}
          onWhole={(Factor) =>
            onRule({ ...rule, Over: { AbovePercent: Over?.AbovePercent ?? 105, Factor: Math.max(1, Factor) } })
          }
        />
      </>
    )
  return (
    <>
      <Whole
        label={t('floorPercent')}
        unit="%"
        value={FloorPercent ?? 0}
        most={100}
        onWhole={(floor) => onRule({ ...rule, FloorPercent: floor === 0 ? null : floor })}
      />
      <Whole
        label={t('discountFrom')}
        unit="kWh/kVA"
        value={Discount?.FromKwhPerKva ?? 0}
        most={1_000}
        onWhole={(from) =>
          onRule({ ...rule, Discount: from === 0 ? null : { FromKwhPerKva: from, PricePercent: Discount?.PricePercent ?? 90 } })
        }
      />
      {Discount && (
        <Whole
          label={t('discountPercent')}
          unit="%"
          value={Discount.PricePercent}
          most={1_000}
          onWhole={(PricePercent) => onRule({ ...rule, Discount: { ...Discount, PricePercent } })}
        />
      )}
    </>
  )
}

/** A whole figure from 0; whatever else is typed is not taken. */
function Whole(props: { label: string; unit: string; value: number; most: number; onWhole: (value: number) => void }) {
  const { label, unit, value, most, onWhole } = props
  return (
    <TextField
      label={label}
      unit={unit}
      inputMode="numeric"
      maxLength={4}
      value={String(value)}
      onChange={(text) => {
        const typed = text.trim() === '' ? 0 : Number(text)
        if (Number.isInteger(typed) && typed >= 0 && typed <= most) onWhole(typed)
      }}
    />
  )
}

function demandText(rule: Rule | null, t: ReturnType<typeof useTranslation<'tariffs'>>['t']): string {
  if (!rule) return t('noDemand')
  if (rule.Base === 'declared')
    return rule.Over ? t('declaredIs', { percent: rule.Over.AbovePercent, factor: rule.Over.Factor }) : t('declared')
  const parts = [
    t('actual'),
    ...(rule.FloorPercent === null ? [] : [t('floorIs', { percent: rule.FloorPercent })]),
    ...(rule.Discount ? [t('discountIs', { from: rule.Discount.FromKwhPerKva, percent: rule.Discount.PricePercent })] : []),
  ]
  return parts.join(t('comma'))
}
