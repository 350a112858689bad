import type { HealthCheckDetails } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { dayTime } from '../../ui/format.ts'
import { BandMark } from './score-marks.tsx'
import { mean, signed } from './words.ts'

/** What the plant came to, and by which two figures. */
export function CheckStrip({ Check: { Result }, Before }: Pick<HealthCheckDetails, 'Check' | 'Before'>) {
  const { t } = useTranslation('healthCheck')
  if (!Result) return null
  const { Score, Average, WorstTenth } = Result
  return (
    <div className="strip health-strip">
      <div>
        <span className="state">{t('score')}</span>
        <span className="strip-figure">
          <b>{Score ?? '–'}</b> <BandMark band={Result.Band} />
        </span>
      </div>
      <div>
        <span className="state">{t('average')}</span>
        <b>{mean(Average)}</b>
      </div>
      <div>
        <span className="state">{t('worstTenth')}</span>
        <span className="strip-figure">
          <b>{mean(WorstTenth)}</b> <small>{t('worstOf', { count: Result.WorstLines })}</small>
        </span>
      </div>
      {Score !== null && (
        <div className="formula">
          <span className="state">{t('formula')}</span>
          <span>
            ({mean(Average)} + {mean(WorstTenth)}) ÷ 2 = {Score}
          </span>
        </div>
      )}
      <div>
        <span className="state">{t('coverage')}</span>
        <span className="strip-figure">
          <b>{Result.Coverage}%</b> <small>{t('coverageOf', { scored: Result.Scored, unscored: Result.Unscored })}</small>
        </span>
      </div>
      <div>
        {Before ? (
          <>
            <span className="state">{t('before', { day: dayTime(Before.StartedAt).slice(5, 10) })}</span>
            <span className="strip-figure">
              <b>{Before.Score ?? '–'}</b>{' '}
              {Score !== null && Before.Score !== null && <small>{t('change', { change: signed(Score - Before.Score) })}</small>}
            </span>
          </>
        ) : (
          <span className="state">{t('noBefore')}</span>
        )}
      </div>
    </div>
  )
}
