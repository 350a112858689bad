import { inBoth } from '../../ui/in-both.ts'

/** What an HTTP status means to a person (specification section 8). */
export const http = inBoth(
  {
    h400: '请求错误',
    h401: '登录已过期，请重新登录',
    h403: '拒绝访问',
    h404: '请求出错',
    h408: '请求超时',
    h500: '请求出错',
    h501: '服务未实现',
    h502: '网络错误',
    h503: '服务不可用',
    h504: '网络超时',
    h505: 'HTTP 版本不受支持',
    other: '连接出错（{{status}}）',
    none: '服务器无响应，请求超时',
  },
  {
    h400: 'Bad request',
    h401: 'The session has expired. Sign in again',
    h403: 'Access denied',
    h404: 'The request failed',
    h408: 'The request timed out',
    h500: 'The request failed',
    h501: 'Not implemented',
    h502: 'Network error',
    h503: 'The service is not available',
    h504: 'The network timed out',
    h505: 'HTTP version not supported',
    other: 'Connection error ({{status}})',
    none: 'The server does not answer; the request timed out',
  },
)
