% Fits one of octave-control's identifiers on the train rows of a record and simulates it freely
% over the rows behind, for every order of a range; one CSV line per order and CV, flushed at once,
% so that the caller can tell which order never returned.
%   octave-cli -qf fit_peers.m DATA NU NY TRAIN TEST H F METHOD FIRST LAST OUT
% DATA: CSV without header, inputs then outputs, scaled by mean and deviation of the TRAIN rows; the
% test rows begin behind the first TEST rows.
% METHOD: arx1 (first input lag 1, the only one that arx offers), arx0 (the inputs moved one row, so
% that the first lag is 0), n4sid, moen4. F > 0: declared integrating, y(t+F) - y(t) is judged.
% OUT: method,order,cv,state,validation,test,seconds. The state at the border comes from the H rows
% behind it, which are left out of the norms: "past" the measured lags, "gain" the predictor over
% the H rows from rest, "least" least squares on the H rows.
1;

function f = fit_percent (y, yhat)
  f = 100 * (1 - norm (y - yhat) / norm (y - mean (y)));
endfunction

% Each output is a cell of A (1 x na+1) and B (nu x lags, from lag 0), or matrices and a gain.
function m = identify (method, y, u, n)
  m.kind = method;
  dat = iddata (y, u, 1);
  switch (method)
    case {"arx1", "arx0"}
      if (strcmp (method, "arx0"))
        dat = iddata (y(1:end-1, :), u(2:end, :), 1);
      endif
      sys = arx (dat, n);
      [num, den] = tfdata (sys);
      ny = columns (y); nu = columns (u);
      m.A = cell (ny, 1); m.B = cell (ny, nu);
      for i = 1:ny
        for k = 1:nu
          [b, a] = deal (num{i, k}, den{i, k});
          % Powers of z: both in descending order, a monic of degree length(a) - 1.
          b = [zeros(1, length (a) - length (b)), b];
          if (strcmp (method, "arx0"))
            b = [b(2:end), 0];
          endif
          m.A{i, k} = a / a(1); m.B{i, k} = b / a(1);
        endfor
      endfor
    otherwise
      [sys, x0, info] = feval (method, dat, n);
      [m.a, m.b, m.c, m.d] = ssdata (sys);
      m.k = info.K;
  endswitch
endfunction

% State space of one ARX output: x = past of y and of the inputs is exact, so simulate by recursion.
function y = recur (m, i, y_past, u, first, last)
  nu = columns (u);
  a = m.A{i, 1};
  w = zeros (last - first + 1, 1);
  for k = 1:nu
    b = m.B{i, k};
    rest = u(max (1, first - length (b) + 1):last, k);
    v = filter (b, 1, rest);
    w += v(end - (last - first):end);
  endfor
  na = length (a) - 1;
  z = zeros (na, 1);
  for j = 1:na
    z(j) = -a(j + 1:end) * y_past(first - 1:-1:first - na - 1 + j);
  endfor
  y = filter (1, a, w, z);
endfunction

function y = simulate (m, x, u)
  y = zeros (rows (u), rows (m.c));
  for t = 1:rows (u)
    y(t, :) = (m.c * x + m.d * u(t, :)')';
    x = m.a * x + m.b * u(t, :)';
  endfor
endfunction

function x = state_by_gain (m, y, u)
  x = zeros (rows (m.a), 1);
  for t = 1:rows (u)
    e = y(t, :)' - m.c * x - m.d * u(t, :)';
    x = m.a * x + m.b * u(t, :)' + m.k * e;
  endfor
endfunction

function x = state_by_least_squares (m, y, u)
  n = rows (m.a); ny = columns (y);
  free = y - simulate (m, zeros (n, 1), u);
  O = zeros (rows (y) * ny, n);
  row = m.c;
  for t = 1:rows (y)
    O((t - 1) * ny + (1:ny), :) = row;
    row = row * m.a;
  endfor
  x = pinv (O) * free'(:);
  for t = 1:rows (u)
    x = m.a * x + m.b * u(t, :)';
  endfor
endfunction

% Fit per CV (1 x ny) of rows first+H .. last, the state from rows first .. first+H-1.
function f = free_run (m, state, y, u, first, last, H)
  ny = columns (y); f = nan (1, ny);
  from = first + H;
  if (strcmp (state, "past"))
    for i = 1:ny
      f(i) = fit_percent (y(from:last, i), recur (m, i, y(:, i), u, from, last));
    endfor
    return
  endif
  r = first:from - 1;
  if (strcmp (state, "gain"))
    x = state_by_gain (m, y(r, :), u(r, :));
  else
    x = state_by_least_squares (m, y(r, :), u(r, :));
  endif
  yhat = simulate (m, x, u(from:last, :));
  for i = 1:ny
    f(i) = fit_percent (y(from:last, i), yhat(:, i));
  endfor
endfunction

% Like free_run, of y(t+F) - y(t) with the state known at every row t: by the measured past or by
% the predictor, as a controller would have it.
function f = bounded (m, state, y, u, first, last, H, F)
  ny = columns (y); f = nan (1, ny);
  starts = first + H - 1:last - F;
  actual = y(starts + F, :) - y(starts, :);
  predicted = nan (size (actual));
  if (strcmp (state, "past"))
    for i = 1:ny
      for s = 1:numel (starts)
        t = starts(s);
        run = recur (m, i, y(:, i), u, t + 1, t + F);
        predicted(s, i) = run(end) - y(t, i);
      endfor
    endfor
  else
    x = zeros (rows (m.a), 1);
    for t = first:last - F
      e = y(t, :)' - m.c * x - m.d * u(t, :)';
      x = m.a * x + m.b * u(t, :)' + m.k * e;
      if (t >= starts(1))
        run = simulate (m, x, u(t + 1:t + F, :));
        predicted(t - starts(1) + 1, :) = run(end, :) - y(t, :);
      endif
    endfor
  endif
  for i = 1:ny
    f(i) = fit_percent (actual(:, i), predicted(:, i));
  endfor
endfunction

function f = judged (m, state, y, u, first, last, H, F)
  if (F > 0)
    f = bounded (m, state, y, u, first, last, H, F);
  else
    f = free_run (m, state, y, u, first, last, H);
  endif
endfunction

function main (args)
  pkg load control
  warning ("off", "all");
  x = csvread (args{1});
  [nu, ny, half, behind, H, F] = deal (num2cell (cellfun (@str2double, args(2:7))){:});
  method = args{8};
  u = x(:, 1:nu); y = x(:, nu + (1:ny));
  out = fopen (args{11}, "a");
  inner = floor (3 * half / 4);
  states = {"gain", "least"};
  if (strncmp (method, "arx", 3))
    states = {"past"};
  elseif (F > 0)
    states = {"gain"};
  endif
  for n = str2double (args{9}):str2double (args{10})
    fprintf (out, "%s,%d,begin,,,,\n", method, n); fflush (out);
    validation = test = nan (numel (states), ny);
    seconds = NaN;
    try
      m = identify (method, y(1:inner, :), u(1:inner, :), n);
      for s = 1:numel (states)
        validation(s, :) = judged (m, states{s}, y, u, inner + 1, half, H, F);
      endfor
    end_try_catch
    try
      tic; m = identify (method, y(1:half, :), u(1:half, :), n); seconds = toc;
      for s = 1:numel (states)
        test(s, :) = judged (m, states{s}, y, u, behind + 1, rows (y), H, F);
      endfor
    end_try_catch
    for s = 1:numel (states)
      for i = 1:ny
        fprintf (out, "%s,%d,%d,%s,%.6f,%.6f,%.6f\n", method, n, i, states{s}, validation(s, i), ...
                 test(s, i), seconds);
      endfor
    endfor
    fflush (out);
  endfor
  fclose (out);
endfunction

main (argv ());
