import { describeStdio } from './stdio-matrix.js'

describeStdio('the era matrix over stdio')
