import type { TFunction } from 'i18next'

/** How much equipment there is: lines, and beside them the detectors, which are none. */
export const amountOf = (t: TFunction<'monitor'>, lines: number, detectors: number): string =>
  [
    ...(lines > 0 || detectors === 0 ? [t('lines', { count: lines })] : []),
    ...(detectors > 0 ? [t('detectors', { count: detectors })] : []),
  ].join(' · ')
