% Times octave-control's arx and n4sid.
%   octave-cli -qf time_peers.m DATA ROWS NU NY ORDER OUT
% DATA: doubles, column by column, inputs then outputs. OUT: name, CPU seconds (least of five), then
% for arx the coefficients, output by output: a1.. of -y, then b1.. of each input; for n4sid (all
% orders 1..ORDER in one time) the steady-state gains of the model of order ORDER, row by row; for
% slicot the same calls without octave-control's checks and conversions.
1;

function main (args)
  pkg load control
  warning ("off", "all");
  [rows, nu, ny, n] = deal (num2cell (cellfun (@str2double, args(2:5))){:});
  f = fopen (args{1}); x = fread (f, [rows, nu + ny], "double"); fclose (f);
  u = x(:, 1:nu); y = x(:, nu + 1:end);
  dat = iddata (y, u, 1);
  out = fopen (args{6}, "w");
  best = Inf;
  for k = 1:5
    t = cputime (); sys = arx (dat, n); best = min (best, cputime () - t);
  endfor
  [num, den] = tfdata (sys);
  theta = [];
  for i = 1:ny
    a = den{i, 1};
    theta = [theta, a(2:end)];
    for m = 1:nu
      b = num{i, m};
      theta = [theta, zeros(1, n - length (b)), b];
    endfor
  endfor
  fprintf (out, "arx,%.9g%s\n", best, sprintf (",%.17g", theta));
  best = Inf;
  for k = 1:5
    t = cputime ();
    for order = 1:n
      [sys, x0, info] = n4sid (dat, order);
    endfor
    best = min (best, cputime () - t);
  endfor
  fprintf (out, "n4sid,%.9g%s\n", best, sprintf (",%.17g", dcgain (sys)'));
  best = Inf;
  for k = 1:5
    t = cputime ();
    for order = 1:n
      s = min ([2 * order, order + 10, fix((rows + 1) / (2 * (nu + ny + 1)))]);
      [a, b, c, d] = __sl_ident__ ({y}, {u}, s, order, 1, 0, 1, 1, 0.0, 0.0);
    endfor
    best = min (best, cputime () - t);
  endfor
  gain = c * ((eye (n) - a) \ b) + d;
  fprintf (out, "slicot,%.9g%s\n", best, sprintf (",%.17g", gain'));
  fclose (out);
endfunction

main (argv ());
