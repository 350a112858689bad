import i18next from 'i18next'

/** Why a run ended as it did, in words; one that a later server has named stands by its key. */
export const whyWord = (key: string): string =>
  i18next.exists(`runWhy:whys.${key}`)
    ? i18next.t(`runWhy:whys.${key}` as 'runWhy:whys.serverDown')
    : i18next.t('runWhy:otherWhy', { key })
